import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import { clientCalls, type Message } from '../../src/core/conversation.ts'
import { check, detect, heal, repair } from '../../src/index.ts'
import { history, validHistory } from '../laws/history.ts'
import { root } from '../repository.ts'

const seeds = Array.from({ length: 150 }, (_, index) => 9_000_000 + index)

/** The contract of all codecs, on broken histories and valid ones. */
describe.each(Object.keys(codecs) as CodecId[])('%s', id => {
  const codec = codecs[id]

  test('[K1] what was read and not touched is written as the very same objects', () => {
    for (const seed of seeds) {
      const { messages } = history(id, seed)
      const decoded = codec.decode(messages)
      const encoded = codec.encode(decoded.messages, decoded, messages)
      expect(encoded.length).toBe(messages.length)
      for (const [index, message] of encoded.entries()) expect(message).toBe(messages[index])
    }
  })

  test('[K1] what was rebuilt from its parts alone says the same', () => {
    for (const seed of seeds) {
      const { messages } = validHistory(id, seed)
      const decoded = codec.decode(messages)
      const copies = decoded.messages.map(message => ({ ...message }))
      expect(codec.encode(copies, decoded, messages)).toEqual(messages)
    }
  })

  test('[K2] a stretch is read as it is in the whole, with the same keys', () => {
    let stretches = 0
    for (const seed of seeds) {
      const { messages } = validHistory(id, seed)
      const from = messages.findIndex((message, index) => index > 3 && codec.opensTurn(message))
      if (from < 0) continue
      stretches++
      const whole = codec.decode(messages).messages
      const key = codec.count(messages, 0, from)
      expect(codec.count(messages, 0, messages.length)).toBe(whole.length)
      expect(codec.decode(messages, from, messages.length, key).messages).toEqual(whole.slice(key))
    }
    expect(stretches).toBeGreaterThan(110)
  })

  test("[K3] the places of messages and parts are paths in the caller's own wire", () => {
    for (const seed of seeds) {
      const { messages } = history(id, seed)
      const { root } = codec.format
      for (const message of codec.decode(messages).messages) {
        for (const part of [undefined, ...message.parts]) {
          const path = codec.format.locate(message, part)
          expect(resolve({ [root]: messages }, path), `${path} of seed ${seed}`).not.toBe(missing)
        }
      }
    }
  })

  test('[K4] keys count the messages, and a result is a message of its own', () => {
    let results = 0
    for (const seed of seeds) {
      const decoded: readonly Message[] = codec.decode(history(id, seed).messages).messages
      for (const [index, message] of decoded.entries()) {
        expect(message.key).toBe(index)
        if (message.role !== 'tool') continue
        results++
        expect(message.parts.length).toBe(1)
        expect(['result', ...(codec.format.approvals ? ['other'] : [])]).toContain(message.parts[0].kind)
      }
    }
    expect(results).toBeGreaterThan(560)
  })

  describe('[K6] a long conversation as it is stored in the wild', () => {
    const fixture: unknown[] = JSON.parse(readFileSync(join(root, `test/fixtures/${id}.json`), 'utf8'))

    test('has parallel calls, an image, an error and three turns', () => {
      const { messages } = codec.decode(fixture)
      const parts = messages.flatMap(message => message.parts)
      expect(messages.some(message => clientCalls(message).length > 1)).toBe(true)
      expect(messages.filter(({ role }) => role === 'user').length).toBeGreaterThanOrEqual(3)
      expect(messages.length).toBeGreaterThanOrEqual(24)
      expect(parts.some(part => part.kind === 'other')).toBe(true)
      expect(JSON.stringify(fixture)).toMatch(/error/i)
    })

    test('is recognised, healthy and the same reference', () => {
      expect(detect(fixture)).toBe(id)
      expect(check(fixture)).toEqual([])
      expect(heal(fixture)).toBe(fixture)
    })

    test('is read and written as the very same objects, and its places exist', () => {
      const decoded = codec.decode(fixture)
      const encoded = codec.encode(decoded.messages, decoded, fixture)
      expect(encoded.every((message, index) => message === fixture[index])).toBe(true)
      const copies = decoded.messages.map(message => ({ ...message }))
      expect(codec.encode(copies, decoded, fixture)).toEqual(fixture)
      for (const message of decoded.messages)
        for (const part of [undefined, ...message.parts])
          expect(resolve({ [codec.format.root]: fixture }, codec.format.locate(message, part))).not.toBe(missing)
    })

    test('loses one result, and is healed by one placeholder in its place', () => {
      const { messages } = codec.decode(fixture)
      const lost = messages.find(({ role, parts }) => role === 'tool' && parts[0]?.kind === 'result')
      const decoded = codec.decode(fixture)
      const broken = codec.encode(
        decoded.messages.filter(({ key }) => key !== lost?.key),
        decoded,
        fixture,
      )
      const { repairs, remaining } = repair(broken, { format: id })
      const rules = repairs.map(({ rule }) => rule)
      expect(rules.filter(rule => rule !== 'split-results')).toEqual(['unanswered-call'])
      expect(remaining).toEqual([])
    })
  })

  test('[K5] a conversation with calls is recognised as what it is', () => {
    for (const seed of seeds) expect(detect(validHistory(id, seed).messages)).toBe(id)
  })
})

const missing = Symbol('nothing stands there')

function resolve(value: unknown, path: string): unknown {
  let at = value
  for (const key of path.split(/[.[\]]+/).filter(Boolean)) {
    if (typeof at !== 'object' || at === null || !(key in at)) return missing
    at = (at as Record<string, unknown>)[key]
  }
  return at
}
