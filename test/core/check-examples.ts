import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import type { DialectId } from '../../src/core/dialects/index.ts'
import { applyEdits, type Edit, invertEdits } from '../../src/core/edit.ts'
import { checkRules, type Diagnostic } from '../../src/core/rules/check.ts'
import type { Example, Examples, InvalidExample } from '../../src/core/rules/example.ts'
import { RuleContext } from '../../src/core/rules/rule.ts'
import { check, decodeHistory, heal, repair } from '../../src/heal/heal.ts'
import { type HealOptions, planFor } from '../../src/heal/options.ts'
import { healRequest } from '../../src/heal/request/heal-request.ts'

/*
 * What the examples of a rule promise, in plain assertions: the tests of the rules run them, and so does the check of
 * mutants, which has no test runner.
 */

/** The examples of a rule, which are in the file beside it. */
export async function readExamples(rule: string): Promise<Examples> {
  const file = files.get(`${rule}.examples.ts`)
  if (file === undefined) throw new Error(`the rule ${rule} has no examples`)
  return ((await import(pathToFileURL(file).href)) as { examples: Examples }).examples
}

const folder = join(import.meta.dirname, '../../src/core/rules')
const files = new Map(globSync('*/*.examples.ts', { cwd: folder }).map(file => [basename(file), join(folder, file)]))

/** Throws if the rule finds something in the history, or a repair changes it. */
export function checkValid(rule: string, example: Example): void {
  const { messages, request } = frozen(example)
  const options = optionsOf(example)
  if (request) {
    const healed = healRequest(messages, options)
    assert.deepEqual(healed, { body: messages, changed: false, repairs: [], remaining: [] })
    assert.equal(healed.body, messages)
    return
  }
  assert.deepEqual(placesOf(rule, check(messages, options)), [])
  assert.deepEqual(placesOf(rule, checkInFull(messages, options)), [])
  assert.equal(heal(messages, options), messages)
}

/** Throws unless the rule finds what the example says, and a repair makes of it what the example says. */
export function checkInvalid(rule: string, example: InvalidExample): void {
  const { messages, finds, after, request } = frozen(example)
  const options = optionsOf(example)
  if (request) {
    const healed = healRequest(messages, options)
    assert.deepEqual(placesOf(rule, healed.repairs), finds)
    assert.deepEqual(healed.remaining, [])
    assert.deepEqual(healed.body, after)
    assert.equal(healRequest(after, options).body, after)
    return
  }
  assert.deepEqual(placesOf(rule, check(messages, options)), finds)

  const healed = repair(messages, options)
  assert.deepEqual(healed.messages, after)
  if (rule !== 'not-a-history') {
    assert.deepEqual(healed.remaining.filter(isError), [])
    assert.deepEqual(check(after, options).filter(isError), [])
  }
  assert.equal(heal(after, options), after)
  const edits = healed.repairs.flatMap(repaired => repaired.edits)
  if (Array.isArray(messages)) checkUndo(example, messages, edits)
}

/** The edits do and undo the repair also when they were stored as JSON in between. */
function checkUndo({ format, after }: InvalidExample, messages: readonly unknown[], edits: readonly Edit[]): void {
  const codec = codecs[format as CodecId]
  const stored = asJson(edits)
  const decoded = codec.decode(messages)
  const edited = applyEdits(decoded.messages, stored)
  assert.deepEqual(codec.encode(edited, decoded, messages), after)
  assert.deepEqual(asJson(applyEdits(edited, invertEdits(stored))), asJson(decoded.messages))
}

const optionsOf = ({ format, dialect, options }: Example): HealOptions => ({
  ...options,
  format: format as CodecId,
  for: dialect as DialectId,
  onRepair() {},
})

/** What the rules find, also if a scan passes the history. */
function checkInFull(messages: unknown, options: HealOptions): Diagnostic[] {
  const plan = planFor(messages, options)
  return checkRules(new RuleContext(decodeHistory(messages, plan), plan), plan)
}

const placesOf = (rule: string, found: readonly Diagnostic[]): string[] =>
  found.filter(diagnostic => diagnostic.rule === rule).map(({ at }) => at)

const isError = ({ severity }: Diagnostic): boolean => severity === 'error'

const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value))

/** Frozen to its leaves, so that code that changes it throws. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) frozen(inner)
  }
  return value
}
