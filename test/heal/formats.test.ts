import { describe, expect, test, vi } from 'vitest'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import type { Dialect } from '../../src/core/dialect.ts'
import { type DialectId, dialects } from '../../src/core/dialects/index.ts'
import type { Example, Examples } from '../../src/core/rules/example.ts'
import { requestRules } from '../../src/core/rules/format-specific-rules.ts'
import { rules } from '../../src/core/rules/index.ts'
import * as named from '../../src/heal/formats/dialects.ts'
import type { SingleFormat } from '../../src/heal/formats/single-format.ts'
import { check, heal, repair } from '../../src/heal/heal.ts'
import { load, ruleFile } from '../repository.ts'

const examples = (
  await Promise.all(
    rules.map(async ({ id }) => {
      const { valid, invalid } = (await load(ruleFile(id, '.examples'))).examples as Examples
      return [...valid, ...invalid].filter(({ request }) => !request)
    }),
  )
).flat()

const ofRequests = new Set(requestRules)

/** What any reader insists on, of any model. */
const everyFacts = Object.values<Dialect>(dialects).flatMap(({ facts, models = [] }) => [
  facts,
  ...models.map(model => ({ ...facts, ...model.facts })),
])

describe.each(Object.keys(codecs) as CodecId[])('antiphon/%s', async format => {
  const alone = (await load(`src/heal/formats/${format}.ts`)) as unknown as SingleFormat

  test('[PK5] finds and repairs the same as the main entry point', () => {
    const own = examples.filter(example => example.format === format)
    expect(own).not.toHaveLength(0)
    for (const { messages, dialect, options } of own as (Example & { dialect: DialectId })[]) {
      const asked = { ...options, format, for: dialect }
      const askedAlone = { ...options, for: dialects[dialect] }
      expect(alone.repair(messages, askedAlone)).toEqual(repair(messages, asked))
      expect(alone.check(messages, askedAlone)).toEqual(check(messages, asked))
      expect(alone.heal(messages)).toEqual(heal(messages, { format }))
    }
  })

  test('[PK5] leaves out no rule that a history in its format can break', () => {
    const { format: wire } = codecs[format]
    const breakable = rules.filter(
      rule => !ofRequests.has(rule) && everyFacts.some(facts => rule.appliesTo(facts, wire)),
    )
    const asked = new Set<string>()
    for (const rule of rules) {
      vi.spyOn(rule, 'appliesTo').mockImplementation(() => {
        asked.add(rule.id)
        return false
      })
    }
    alone.check('no history', { for: { ...dialects.lenient, facts: { ...dialects.lenient.facts } } })
    vi.restoreAllMocks()
    expect(breakable.map(({ id }) => id).filter(id => !asked.has(id))).toEqual([])
  })
})

test('[PK5] every dialect can be named', () => {
  expect(new Set(Object.values(named))).toEqual(new Set(Object.values(dialects)))
})

test('[PK5] a dialect that does not support the format is an error of the caller', async () => {
  const { heal } = (await load('src/heal/formats/gemini.ts')) as unknown as SingleFormat
  expect(() => heal([], { for: dialects.openai })).toThrow('openai does not accept the format gemini')
})
