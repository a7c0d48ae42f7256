import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codecs } from '../../src/codecs/index.ts'
import { replies } from '../../src/codecs/shared/replies.ts'
import type { Reply, ReplyDelta } from '../../src/codecs/shared/reply.ts'
import type { Part } from '../../src/core/conversation.ts'
import { check, repair } from '../../src/index.ts'
import { triesAll } from '../sample.ts'
import { anything, changed, deepFreeze } from './replies-hostile.ts'
import { type Spoken, type Streamer, streamers } from './replies-streams.ts'

const spoken: fc.Arbitrary<Spoken> = fc.record({
  reasoning: fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', minLength: 1 })),
  text: fc.oneof(
    fc.constant(''),
    fc
      .tuple(fc.constantFrom('', '\n\n \n  '), fc.string({ unit: 'grapheme', minLength: 1 }))
      .map(([space, text]) => `${space}I say: ${text}.`),
  ),
  calls: fc
    .array(
      fc.record({
        name: fc.constantFrom('weather', 'time', 'find_flights'),
        json: fc.dictionary(fc.string(), fc.jsonValue()).map(input => JSON.stringify(input)),
      }),
      { maxLength: 4 },
    )
    .map(calls => calls.map((call, index) => ({ id: `call_${index}`, ...call }))),
})

/** Cuts texts at random places, the same ones each time. */
const splits: fc.Arbitrary<(text: string) => string[]> = fc
  .array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
  .map(sizes => text => {
    const pieces: string[] = []
    let at = 0
    while (at < text.length) {
      const size = sizes[pieces.length % sizes.length]
      pieces.push(text.slice(at, at + size))
      at += size
    }
    return pieces
  })

const numRuns = triesAll ? 100 : 30

describe.each(streamers)('$name', streamer => {
  test('is read the same however it is cut into chunks', () => {
    fc.assert(
      fc.property(spoken, splits, (said, split) => {
        const { reply, deltas, failure } = fold(streamer, streamer.chunks(said, split))
        expect(failure).toBeUndefined()
        expect(reply.finish).toBe('stop')
        expect(textIn(streamer, reply.messages)).toBe(said.text)
        expect(callsIn(streamer, reply.messages)).toEqual(inputsOf(said))
        expect(wordsOf(deltas, 'text')).toBe(said.text)
        expect(wordsOf(deltas, 'reasoning')).toBe(said.reasoning)
        const begun = deltas.filter(delta => delta.kind === 'call')
        expect(begun).toEqual(said.calls.map(({ id, name }, index) => ({ kind: 'call', id, name, index })))
        for (const [index, { json }] of said.calls.entries()) {
          const heard = deltas
            .map(delta => (delta.kind === 'input' && delta.index === index ? delta.text : ''))
            .join('')
          expect(JSON.parse(heard || '{}')).toEqual(JSON.parse(json))
        }
        if (said.text + said.reasoning !== '' || said.calls.length > 0)
          expect(JSON.stringify(reply)).toContain(JSON.stringify(said.reasoning).slice(1, -1))
      }),
      { numRuns },
    )
  })

  test('keeps nothing but text of what was cut', () => {
    fc.assert(
      fc.property(spoken, splits, fc.nat(), (said, split, at) => {
        const chunks = streamer.chunks(said, split)
        let end = chunks.length
        while (end > 0 && fold(streamer, chunks.slice(0, end)).reply.finish !== 'cut') end--
        expect(chunks.length - end, 'only what it cost may come behind the end').toBeLessThanOrEqual(2)
        const { reply, deltas } = fold(streamer, chunks.slice(0, at % (end + 1)))
        const heard = wordsOf(deltas, 'text')
        expect(reply.finish).toBe('cut')
        expect(textIn(streamer, reply.messages)).toBe(heard.trim() === '' ? '' : heard)
        expect(callsIn(streamer, reply.messages)).toEqual([])
        expect(reply.messages.length).toBe(heard.trim() === '' ? 0 : 1)
        const begun = deltas.filter(isCall).length
        expect([begun, begun + 1], 'one may have no name yet').toContain(countCalls(streamer, reply.left))
        const history = [streamer.user('Go.'), ...reply.messages, streamer.user('Go on.')]
        if (reply.messages.length === 0) return
        expect(check(history, { format: streamer.format, for: streamer.reader })).toEqual([])
        expect(repair(history, { format: streamer.format, for: streamer.reader }).changed).toBe(false)
      }),
      { numRuns },
    )
  })

  test('changes nothing that it is given, and throws at nothing', () => {
    fc.assert(
      fc.property(spoken, splits, fc.array(fc.tuple(fc.nat(), fc.nat(), anything)), (said, split, changes) => {
        const chunks = streamer.chunks(said, split)
        for (const [place, path, value] of changes)
          chunks.splice(place % chunks.length, 1, changed(chunks[place % chunks.length], path, value))
        const { reply } = fold(streamer, chunks.map(deepFreeze))
        expect(Array.isArray(reply.messages)).toBe(true)
        expect(reply.left === undefined || reply.left.length > 0).toBe(true)
      }),
      { numRuns },
    )
  })

  test('throws at no depth', () => {
    const deep = JSON.parse(`${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`)
    const said = { reasoning: 'Hm.', text: 'Hi.', calls: [{ id: 'call_0', name: 'time', json: '{"a":{"b":[1]}}' }] }
    for (const value of [deep, deep[0]]) {
      const run = replies[streamer.format].fold()
      for (const chunk of streamer.chunks(said, text => [text]))
        for (let path = 0; path < 60; path++) run.push(changed(chunk, path, value))
      expect(Array.isArray(run.end().messages)).toBe(true)
    }
  })

  test('costs what there is', () => {
    const many = triesAll ? 50_000 : 20_000
    const json = JSON.stringify({ text: 'x'.repeat(many) })
    const said = { reasoning: 'r'.repeat(many), text: 't'.repeat(many), calls: [{ id: 'call_0', name: 'time', json }] }
    const { reply } = fold(
      streamer,
      streamer.chunks(said, text => text.split('')),
    )
    expect(textIn(streamer, reply.messages)).toBe(said.text)
    expect(callsIn(streamer, reply.messages)).toEqual(inputsOf(said))
    const calls = Array.from({ length: many / 10 }, (_, index) => ({ id: `call_${index}`, name: 'time', json: '{}' }))
    const crowd = fold(
      streamer,
      streamer.chunks({ reasoning: '', text: '', calls }, text => [text]),
    ).reply
    expect(callsIn(streamer, crowd.messages)).toHaveLength(calls.length)
  })
})

describe.each(Object.entries(replies))('%s', (_, known) => {
  test('reads nothing from what is nothing, and never throws', () => {
    fc.assert(
      fc.property(anything, fc.array(anything), (response, chunks) => {
        const reply = known.read(response)
        expect(reply === undefined || Array.isArray(reply.messages)).toBe(true)
        const run = known.fold()
        for (const chunk of chunks) {
          expect(typeof known.recognises(chunk)).toBe('boolean')
          expect(Array.isArray(run.push(chunk))).toBe(true)
        }
        expect(run.end().messages).toEqual([])
        if (!chunks.includes('[DONE]')) expect(run.end().finish).toBe('cut')
      }),
      { numRuns: triesAll ? 150 : 50 },
    )
  })

  test('an empty stream is cut', () => {
    expect(known.fold().end()).toEqual({ messages: [], finish: 'cut' })
  })
})

function fold({ format }: Streamer, chunks: readonly unknown[]) {
  const run = replies[format].fold()
  const deltas: ReplyDelta[] = []
  for (const chunk of chunks) for (const delta of run.push(chunk)) deltas.push(delta)
  return { reply: run.end() as Reply, deltas, failure: run.failure }
}

const partsIn = ({ format }: Streamer, messages: readonly unknown[] = []): Part[] =>
  codecs[format].decode(messages).messages.flatMap(({ parts }) => parts)

const callsIn = (streamer: Streamer, messages?: readonly unknown[]) =>
  partsIn(streamer, messages)
    .filter(part => part.kind === 'call')
    .map(({ id, name, input }) => ({ id, name, input: typeof input === 'string' ? parsed(input) : input }))

/** The codec of the user interface leaves out calls whose arguments are still coming, as the library does. */
const countCalls = (streamer: Streamer, messages: readonly unknown[] = []): number =>
  streamer.format === 'ai-sdk-ui'
    ? messages.flatMap(message => (message as { parts: { type: string }[] }).parts).filter(isTool).length
    : callsIn(streamer, messages).length

const isTool = ({ type }: { type: string }): boolean => type.startsWith('tool-')

const inputsOf = ({ calls }: Spoken) => calls.map(({ id, name, json }) => ({ id, name, input: JSON.parse(json) }))

/** Half a call has half its arguments. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

const textIn = (streamer: Streamer, messages: readonly unknown[]): string =>
  partsIn(streamer, messages)
    .map(part => (part.kind === 'text' ? part.text : ''))
    .join('')

const wordsOf = (deltas: readonly ReplyDelta[], kind: 'text' | 'reasoning'): string =>
  deltas.map(delta => (delta.kind === kind ? delta.text : '')).join('')

const isCall = ({ kind }: ReplyDelta): boolean => kind === 'call'
