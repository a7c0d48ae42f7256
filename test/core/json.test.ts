import { expect, test } from 'vitest'
import { isJsonObject } from '../../src/core/json/is-json-object.ts'
import { Random } from '../laws/random.ts'

function parses(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const scraps = '{}[]",:\\/0123456789eE+-.truefalsn u\t\n '

function randomValue(random: Random, depth: number): unknown {
  switch (random.int(depth > 3 ? 6 : 8)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
      return random.int(1_000_000) / 7 - 60_000
    case 3:
      return random.pick(['', '"', '\\', 'a"b\\c', 'line\nbreak\ttab', '\u2028', 'é', '\ud800', '{"a":1}'])
    case 4:
      return random.sentence()
    case 5:
      return 1e21
    case 6:
      return Array.from({ length: random.int(4) }, () => randomValue(random, depth + 1))
    default:
      return randomObject(random, depth + 1)
  }
}

const randomObject = (random: Random, depth = 0): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: random.int(4) }, (_, index) => [
      `k${index}${random.pick(['', '"', '\\', ' '])}`,
      randomValue(random, depth),
    ]),
  )

test('[J1] agrees with the parser of the engine on whole, cut and scrambled texts', () => {
  let objects = 0
  for (let seed = 0; seed < 60_000; seed++) {
    const random = new Random(seed)
    let text = JSON.stringify(randomObject(random), null, random.pick([0, 0, 0, 1, 2]))
    const place = random.int(text.length)
    const scrap = scraps[random.int(scraps.length)]
    switch (random.int(6)) {
      case 1:
        text = text.slice(0, place)
        break
      case 2:
        text = text.slice(0, place) + scrap + text.slice(place + 1)
        break
      case 3:
        text = text.slice(0, place) + text.slice(place + 1)
        break
      case 4:
        text = ` ${text}\n${random.pick(['', 'x', '{}'])}`
        break
    }
    if (parses(text)) objects++
    expect(isJsonObject(text), JSON.stringify(text)).toBe(parses(text))
  }
  expect(objects).toBeGreaterThan(20_000)
})

test.each([
  '',
  ' ',
  '[]',
  'null',
  '"x"',
  '1',
  '{',
  '{"a":"raw\nbreak"}',
  '{"a":"raw\ttab"}',
  '{"a":1,}',
  '{"a":01}',
  '{a:1}',
  '{"a":"\\x"}',
  '{"a":"\\u12G4"}',
])('[J1] %j is not a JSON object', text => expect(isJsonObject(text)).toBe(false))

test('[J1] depth costs no stack', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expect(isJsonObject(`{"a":${deep}}`)).toBe(true)
  expect(isJsonObject(`{"a":${deep}`)).toBe(false)
})
