import { describe, expect, test } from 'vitest'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import type { DialectId } from '../../src/core/dialects/index.ts'
import { applyEdits, type Edit, invertEdits } from '../../src/core/edit.ts'
import type { Diagnostic } from '../../src/core/rules/check.ts'
import type { Example, Examples, InvalidExample } from '../../src/core/rules/example.ts'
import { rules } from '../../src/core/rules/index.ts'
import { check, heal, repair } from '../../src/heal/heal.ts'
import type { HealOptions } from '../../src/heal/options.ts'
import { healRequest } from '../../src/heal/request/heal-request.ts'
import { load, ruleFile } from '../house.ts'

const subjects = await Promise.all(rules.map(async ({ id }) => ({ id, ...(await examplesOf(id)) })))

describe.each(subjects)('[R1] the examples of $id hold', ({ id, valid, invalid }) => {
  test.each(valid)('fine as it is: $name', example => checkValid(id, example))

  test.each(invalid)('broken, and healed: $name', example => checkInvalid(id, example))

  test('there are both kinds, and no two are the same', () => {
    expect(valid).not.toHaveLength(0)
    expect(invalid).not.toHaveLength(0)
    const names = [...valid, ...invalid].map(({ name }) => name)
    expect(new Set(names).size, 'two examples have one name').toBe(names.length)
    const inputs = [...valid, ...invalid].map(inputOf)
    expect(new Set(inputs).size, 'two examples have one input').toBe(inputs.length)
  })
})

function checkValid(rule: string, example: Example): void {
  const { messages, request } = frozen(example)
  const options = optionsOf(example)
  if (request) {
    expect(healRequest(messages, options)).toEqual({ body: messages, changed: false, repairs: [], remaining: [] })
    expect(healRequest(messages, options).body).toBe(messages)
    return
  }
  expect(placesOf(rule, check(messages, options))).toEqual([])
  expect(heal(messages, options)).toBe(messages)
}

function checkInvalid(rule: string, example: InvalidExample): void {
  const { messages, finds, after, request } = frozen(example)
  const options = optionsOf(example)
  if (request) {
    const healed = healRequest(messages, options)
    expect(placesOf(rule, healed.repairs)).toEqual(finds)
    expect(healed.remaining).toEqual([])
    expect(healed.body).toStrictEqual(after)
    expect(healRequest(after, options).body).toBe(after)
    return
  }
  expect(placesOf(rule, check(messages, options))).toEqual(finds)

  const healed = repair(messages, options)
  expect(healed.messages).toStrictEqual(after)
  if (rule !== 'not-a-history') {
    expect(healed.remaining.filter(isError)).toEqual([])
    expect(check(after, options).filter(isError)).toEqual([])
  }
  expect(heal(after, options)).toBe(after)
  const edits = healed.repairs.flatMap(mended => mended.edits)
  if (Array.isArray(messages)) checkUndo(example, messages, edits)
}

/** The edits do and undo the repair also when they were stored as JSON in between. */
function checkUndo({ format, after }: InvalidExample, messages: readonly unknown[], edits: readonly Edit[]): void {
  const codec = codecs[format as CodecId]
  const stored: Edit[] = JSON.parse(JSON.stringify(edits))
  const decoded = codec.decode(messages)
  const edited = applyEdits(decoded.messages, stored)
  expect(codec.encode(edited, decoded, messages)).toStrictEqual(after)
  expect(applyEdits(edited, invertEdits(stored))).toEqual(decoded.messages)
}

const optionsOf = ({ format, dialect, options }: Example): HealOptions => ({
  ...options,
  format: format as CodecId,
  for: dialect as DialectId,
})

const placesOf = (rule: string, found: readonly Diagnostic[]): string[] =>
  found.filter(diagnostic => diagnostic.rule === rule).map(({ at }) => at)

const isError = ({ severity }: Diagnostic): boolean => severity === 'error'

const inputOf = ({ format, dialect, options, messages }: Example): string =>
  JSON.stringify([format, dialect, options, messages])

/** Frozen all the way down, so that whoever changes it throws. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const inner of Object.values(value)) frozen(inner)
  }
  return value
}

async function examplesOf(id: string): Promise<Examples> {
  return (await load(ruleFile(id, '.examples'))).examples as Examples
}
