import { expect, test } from 'vitest'
import { type Dialect, type Facts, lenientFacts } from '../../src/core/dialect.ts'
import { dialects } from '../../src/core/dialects/index.ts'
import type { FactSource } from '../../src/core/dialects/sources/source.ts'

/** Facts that show themselves in another one, whose sources count for them. */
const shownIn: Partial<Record<keyof Facts, string>> = {
  textAfterCall: 'unansweredCall',
  thinkingAfterCall: 'unansweredCall',
  emptyLast: 'emptyMessage',
  malformedResult: 'malformedInput',
}

/** What is repaired without such evidence, and why nothing can be lost by it. */
const harmless: Readonly<Record<string, string>> = {
  'minimax emptyMessage': 'T, in the words of the provider: an empty message says nothing',
  'minimax blankText': 'T, in the words of the provider: an empty block says nothing',
  'minimax contentBesideCalls': 'T, in the words of the provider: an empty text beside calls says nothing',
  'minimax emptyResult': 'T, in the words of the provider: a result without words is given some that say so',
  'minimax noUser': 'T, in the words of the provider: a history without a user has nobody to answer',
  'deepseek emptyMessage': 'a message without content says nothing, and a result without content becomes an empty text',
  'qwen emptyMessage': 'a message without content says nothing, and a result without content becomes an empty text',
  'glm emptyMessage': 'a message without content says nothing, and a result without content becomes an empty text',
  'qwen-template emptyMessage':
    'a message without content says nothing, and a result without content becomes an empty text',
  'gemma-template emptyMessage':
    'a message without content says nothing, and a result without content becomes an empty text',
  'llama-template emptyMessage':
    'a message without content says nothing, and a result without content becomes an empty text',
  'mistral-template emptyMessage':
    'a message without content says nothing, and a result without content becomes an empty text',
  'glm textAfterCall': 'a call without a result is answered for every provider',
  'xai textAfterCall': 'a call without a result is answered for every provider',
  'qwen-template textAfterCall': 'a call without a result is answered for every provider',
  'gemma-template textAfterCall': 'a call without a result is answered for every provider',
  'llama-template textAfterCall': 'a call without a result is answered for every provider',
  'mistral-template textAfterCall': 'a call without a result is answered for every provider',
}

const strong = new Set(['S', 'D', 'C'])

test('[NH10] a history is changed only for what was seen, documented or read in open code', async () => {
  const weak: string[] = []
  for (const dialect of Object.values<Dialect>(dialects)) {
    const sources = [...(await sourcesOf(dialect.id)), ...(dialect.id === 'vertex' ? await sourcesOf('gemini') : [])]
    const isKnown = (fact: string) => sources.some(source => source.fact === fact && strong.has(source.evidence))
    for (const fact of demands(dialect)) {
      if (!isKnown(fact) && !isKnown(shownIn[fact] ?? fact)) weak.push(`${dialect.id} ${fact}`)
    }
  }
  expect(weak.sort()).toEqual(Object.keys(harmless).sort())
})

test('[NH10] what is uncertain is not required', () => {
  for (const { id, facts, doubtful = {} } of Object.values<Dialect>(dialects))
    for (const [fact, value] of Object.entries(doubtful))
      expect(facts[fact as keyof Facts], `${id} ${fact}`).not.toBe(value)
})

async function sourcesOf(id: string): Promise<readonly FactSource[]> {
  return (await import(`../../src/core/dialects/sources/${id}.ts`)).sources
}

/** The facts in which a dialect asks for more than nothing, for some model at least. */
const demands = ({ facts, models = [] }: Dialect): (keyof Facts)[] =>
  ([...new Set([facts, ...models.map(family => family.facts)].flatMap(Object.keys))] as (keyof Facts)[]).filter(fact =>
    [facts, ...models.map(family => family.facts)].some(
      known => known[fact] !== undefined && known[fact] !== 'accept' && known[fact] !== lenientFacts[fact],
    ),
  )
