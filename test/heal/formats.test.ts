import { describe, expect, test, vi } from 'vitest'
import type { Codec } from '../../src/codecs/codec.ts'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import { type Dialect, type Facts, factsFor } from '../../src/core/dialect.ts'
import { type DialectId, dialects } from '../../src/core/dialects/index.ts'
import { notAHistory } from '../../src/core/rules/content/not-a-history.ts'
import type { Example, Examples } from '../../src/core/rules/example.ts'
import { requestRules } from '../../src/core/rules/format-specific-rules.ts'
import { rules } from '../../src/core/rules/index.ts'
import type { Rule } from '../../src/core/rules/rule.ts'
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

/** The dialects of `antiphon/dialects`, each with the rules that it needs. */
const byId = Object.fromEntries(Object.values(named).map(dialect => [dialect.id, dialect])) as Record<
  DialectId,
  Dialect
>

/** What a dialect asks of any model, as a format is sent. */
function everyFacts(dialect: Dialect, { asSent }: Codec): Facts[] {
  const models: Dialect[] = (dialect.models ?? []).map(({ facts }) => ({
    ...dialect,
    facts: { ...dialect.facts, ...facts },
  }))
  return [dialect, ...models]
    .flatMap(model => [factsFor(model), factsFor(model, undefined, true)])
    .map(facts => asSent?.(facts, dialect.id) ?? facts)
}

describe.each(Object.keys(codecs) as CodecId[])('antiphon/%s', async format => {
  const alone = (await load(`src/heal/formats/${format}.ts`)) as unknown as SingleFormat
  const { acceptedBy } = codecs[format]
  const accepted = (Object.keys(dialects) as DialectId[]).filter(id => !acceptedBy || acceptedBy.includes(id))

  test('[PK5] finds and repairs the same as the main entry point', () => {
    const own = examples.filter(example => example.format === format)
    expect(own).not.toHaveLength(0)
    for (const { messages, dialect, options } of own as (Example & { dialect: DialectId })[]) {
      const asked = { ...options, format, for: dialect }
      const askedAlone = { ...options, for: byId[dialect] }
      expect(alone.repair(messages, askedAlone)).toEqual(repair(messages, asked))
      expect(alone.check(messages, askedAlone)).toEqual(check(messages, asked))
      expect(alone.heal(messages)).toEqual(heal(messages, { format }))
    }
  })

  test.each(accepted)('[PK5] leaves out no rule that a history in its format can break for %s', id => {
    const needed = everyFacts(dialects[id], codecs[format]).flatMap(facts =>
      rules.filter(rule => !ofRequests.has(rule) && rule.appliesTo(facts, codecs[format].format)),
    )
    const asked = new Set<Rule>()
    for (const rule of rules) {
      vi.spyOn(rule, 'appliesTo').mockImplementation(() => {
        asked.add(rule)
        return false
      })
    }
    // A copy, since which rules apply is remembered by facts.
    const dialect = id === codecs[format].home ? dialects[id] : byId[id]
    alone.check('no history', { for: { ...dialect, facts: { ...dialect.facts } } })
    vi.restoreAllMocks()
    expect(asked).toContain(notAHistory)
    expect(needed.filter(rule => !asked.has(rule)).map(rule => rule.id)).toEqual([])
  })
})

test('[PK5] every dialect can be named', () => {
  const bare = Object.values<Dialect>(named).map(({ rules: _, ...dialect }) => dialect)
  expect(new Set(bare)).toEqual(new Set(Object.values(dialects)))
})

test('[PK5] a dialect that does not support the format is an error of the caller', async () => {
  const { heal } = (await load('src/heal/formats/gemini.ts')) as unknown as SingleFormat
  expect(() => heal([], { for: dialects.openai })).toThrow('openai does not accept the format gemini')
})
