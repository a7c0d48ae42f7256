import { describe, expect, test } from 'vitest'
import type { Example } from '../../src/core/rules/example.ts'
import { rules } from '../../src/core/rules/index.ts'
import { limitRules } from '../../src/core/rules/limit-rules.ts'
import { checkInvalid, checkValid, readExamples } from './check-examples.ts'

const subjects = await Promise.all(
  [...rules, ...limitRules].map(async ({ id }) => ({ id, ...(await readExamples(id)) })),
)

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

const inputOf = ({ format, dialect, options, messages }: Example): string =>
  JSON.stringify([format, dialect, options, messages])
