import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { arbitraryHistory, arbitraryJson } from './arbitrary-json.ts'
import { corruptionsFor } from './corruptions.ts'
import { history, natives, validHistory } from './history.ts'
import { Random, wordsIn } from './random.ts'

const seeds = Array.from({ length: 1_000 }, (_, seed) => seed)

describe.each(natives)('%s histories', codec => {
  test('the same seed gives the same bytes', () => {
    const bytes = (seed: number) => JSON.stringify([history(codec, seed), validHistory(codec, seed)])
    const first = seeds.map(bytes)
    expectNoSeed(seed => bytes(seed) !== first[seed])
  })

  test('no two seeds give the same valid history', () => {
    expect(new Set(seeds.map(seed => JSON.stringify(validHistory(codec, seed)))).size).toBe(seeds.length)
  })

  test('a valid history has 10 to 60 messages over three turns or more', () => {
    expectNoSeed(seed => {
      const { messages } = validHistory(codec, seed)
      const inputs = messages.filter(message => roleOf(message) === 'user')
      return messages.length < 10 || messages.length > 60 || inputs.length < 3
    })
  })

  test('every text of a valid history has a unique word', () => {
    expectNoSeed(seed => {
      const { messages } = validHistory(codec, seed)
      const words = wordsIn(messages)
      return new Set(words).size !== words.length || textsIn(messages).some(text => wordsIn(text).length !== 1)
    })
  })

  test('even seeds give one to four corruptions, odd seeds up to 25 free-form messages', () => {
    expectNoSeed(seed => {
      const { kind, messages, corruptions } = history(codec, seed)
      if (seed % 2 === 0) return kind !== 'corrupted' || corruptions.length < 1 || corruptions.length > 4
      return kind !== 'free-form' || corruptions.length > 0 || messages.length > 25
    })
  })

  test('a history is plain JSON, and no object stands in it twice', () => {
    expectNoSeed(seed => {
      const { messages } = history(codec, seed)
      return !isDeepStrictEqual(JSON.parse(JSON.stringify(messages)), messages) || holdsAnObjectTwice(messages)
    })
  })

  test('every corruption breaks something, and changes nothing in place', () => {
    for (const { name, apply } of corruptionsFor(codec)) {
      const broken = seeds.slice(0, 60).filter(seed => {
        const { messages } = validHistory(codec, seed)
        const before = JSON.stringify(messages)
        const after = apply(messages, new Random(seed))
        if (JSON.stringify(messages) !== before) throw new Error(`${name} changes its input, seed ${seed}`)
        return after !== messages && JSON.stringify(after) !== before
      })
      expect(broken.length, name).toBeGreaterThan(0)
    }
  })

  test('every corruption is picked, and has a name of its own', () => {
    const picked = new Set(seeds.flatMap(seed => history(codec, seed).corruptions))
    const names = corruptionsFor(codec).map(({ name }) => name)
    expect([...picked].sort()).toEqual(names.sort())
  })
})

describe('arbitrary JSON', () => {
  test('survives a round trip', () => {
    expectNoSeed(seed => {
      const values = [arbitraryJson(new Random(seed)), arbitraryHistory(new Random(seed))]
      return !isDeepStrictEqual(JSON.parse(JSON.stringify(values)), values)
    })
  })

  test('has a __proto__ key and a lone surrogate now and then', () => {
    const all = JSON.stringify(seeds.map(seed => arbitraryJson(new Random(seed))))
    expect(all).toContain('"__proto__":')
    expect(all).toContain('"\\ud83d"')
  })
})

describe('random', () => {
  const random = new Random(7)

  test('range includes both ends', () => {
    expect([...new Set(seeds.map(() => random.range(3, 6)))].sort()).toEqual([3, 4, 5, 6])
  })

  test('shuffle keeps every item', () => {
    expect(random.shuffle([1, 2, 3, 4]).sort()).toEqual([1, 2, 3, 4])
  })

  test('a sentence has one word, an id has none', () => {
    expectNoSeed(() => wordsIn(random.sentence()).length !== 1 || wordsIn(random.id('call_')).length !== 0)
  })
})

function expectNoSeed(fails: (seed: number) => boolean): void {
  expect(seeds.filter(fails), 'seeds that fail').toEqual([])
}

function roleOf(message: unknown): unknown {
  return (message as { role?: unknown }).role
}

/** The texts that somebody wrote: under a key of text, and not empty. */
function textsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return textKeys.has(key) && value !== '' ? [value] : []
  if (Array.isArray(value)) return value.flatMap(item => textsIn(item, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, name))
}

const textKeys = new Set(['content', 'text', 'output', 'thinking', 'reasoning_content', 'query', 'stdout', 'stderr'])

function holdsAnObjectTwice(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (seen.has(value)) return true
  seen.add(value)
  return Object.values(value).some(item => holdsAnObjectTwice(item, seen))
}
