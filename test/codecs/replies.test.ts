import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { codecs } from '../../src/codecs/index.ts'
import { replies } from '../../src/codecs/shared/replies.ts'
import type { Reply, ReplyDelta } from '../../src/codecs/shared/reply.ts'
import type { Part } from '../../src/core/conversation.ts'
import { type CodecId, check, heal, repair } from '../../src/index.ts'
import { type ReplyContent, startStrict } from '../../src/strict/index.ts'
import { type Asker, askers } from './replies-clients.ts'
import { anything, changed, deepFreeze } from './replies-hostile.ts'

/** What a model says, and what that is called. */
const scripts: Record<string, ReplyContent> = {
  'a text': { text: 'Good morning. ☀️ It is a fine day for a walk, and for nothing else at all.' },
  'parallel calls': {
    text: 'Let me see what it is like there.',
    calls: [
      { name: 'weather', input: { city: 'Lisbon, by the river', days: [1, 2, { deep: '"}' }] } },
      { name: 'time', input: { city: 'Porto' } },
      { name: 'time', input: {} },
    ],
  },
  'calls without a word': { calls: [{ name: 'weather', input: { city: 'Faro' } }] },
  'thinking and a text': { thinking: 'They greet me, so I greet them back.', text: 'Good morning to you.' },
  'thinking and calls': {
    thinking: 'I need to look this up before I say anything.',
    text: 'One moment.',
    calls: [
      { name: 'weather', input: { city: 'Braga' } },
      { name: 'time', input: { city: 'Braga' } },
    ],
  },
  'a text that is too long': { text: 'It was a dark and stormy night; the rain fell in', stop: 'length' },
  'a call that is too long': {
    thinking: 'Both of them.',
    text: 'Two cities, then.',
    calls: [
      { name: 'time', input: { city: 'Porto' } },
      { name: 'weather', input: '{"city": "Lisbon, by the' },
    ],
    stop: 'length',
  },
  'thoughts that are too long': { thinking: 'On the one hand this, on the other hand that', stop: 'length' },
  'a refusal': { text: 'I cannot help you with that, I am afraid.', stop: 'refusal' },
}

const endOf = ({ hidesRefusals }: Asker, name: string): string => {
  const { stop = 'stop' } = scripts[name]
  return stop === 'refusal' && hidesRefusals ? 'stop' : stop
}

interface Heard {
  whole: unknown
  chunks: unknown[]
}

describe.each(askers)('$name', asker => {
  const known = replies[asker.format]
  const heard = new Map<string, Heard>()
  const each = Object.keys(scripts)
  const chunksOf = (name: string): unknown[] => (heard.get(name) as Heard).chunks
  const wholeOf = (name: string): Reply => known.read((heard.get(name) as Heard).whole) as Reply

  beforeAll(async () => {
    for (const [name, said] of Object.entries(scripts)) heard.set(name, await hear(asker, said))
  })

  test.each(each)('%s: the whole response and the stream say the same', name => {
    const whole = wholeOf(name)
    const { reply, failure } = fold(asker, chunksOf(name))
    expect(failure).toBeUndefined()
    expect(reply.messages).toEqual(whole.messages)
    expect({ ...reply, id: '', left: undefined }).toEqual({ ...whole, id: '', left: undefined })
    expect(callsIn(asker, reply.left).length).toBe(callsIn(asker, whole.left).length)
  })

  test.each(each)('%s: the messages are what the model said', name => {
    const said = scripts[name]
    const { messages, finish, left, usage } = fold(asker, chunksOf(name)).reply
    expect(finish).toBe(endOf(asker, name))
    expect(usage).toBeDefined()
    expect(textIn(asker, messages)).toBe(said.text ?? '')
    const whole = (said.calls ?? []).filter(({ input }) => asker.callsWhole || typeof input === 'object')
    expect(callsIn(asker, messages)).toEqual(whole.map(({ name, input }) => ({ name, input: valueIn(input) })))
    const half = (said.calls ?? []).filter(call => !whole.includes(call))
    expect(callsIn(asker, left).map(({ name }) => name)).toEqual(half.map(({ name }) => name))
    if (asker.thinks && said.thinking)
      expect(JSON.stringify(said.text || said.calls ? messages : left)).toContain(said.thinking)
  })

  test.each(each)('%s: the deltas bring the same', name => {
    const said = scripts[name]
    const { deltas } = fold(asker, chunksOf(name))
    const joined = (kind: string) =>
      deltas.map(delta => (delta.kind === kind && 'text' in delta ? delta.text : '')).join('')
    expect(joined('text')).toBe(said.text ?? '')
    expect(joined('reasoning')).toBe(asker.thinks ? (said.thinking ?? '') : '')
    const begun = deltas.filter(delta => delta.kind === 'call')
    expect(begun.map(({ name, index }) => [index, name])).toEqual(
      (said.calls ?? []).map(({ name }, index) => [index, name]),
    )
    for (const [index, { input }] of (said.calls ?? []).entries()) {
      const heard = deltas.map(delta => (delta.kind === 'input' && delta.index === index ? delta.text : '')).join('')
      if (typeof input === 'object') expect(JSON.parse(heard || '{}')).toEqual(input)
      else if (!asker.callsWhole) expect(heard).toBe(input)
    }
  })

  test.each(each)('%s: the provider takes it back', async name => {
    await using strict = await startStrict({ script: () => scripts[name] })
    const first = [asker.user('Go.')]
    const thinking = scripts[name].thinking !== undefined
    const whole = known.read(await asker.whole(strict.url, first, thinking))
    const streamed = fold(asker, await all(await asker.stream(strict.url, first, thinking))).reply
    for (const { messages } of [whole as Reply, streamed]) {
      const history = messages.length > 0 ? [...first, ...messages, asker.user('Go on.')] : first
      expect(faultsOf(asker, history, thinking)).toEqual([])
      await asker.whole(strict.url, heal(history, { format: asker.format, for: asker.reader }), thinking)
    }
  })

  test.each(each)('%s: cut after any chunk, its text stays and nothing else', name => {
    const chunks = chunksOf(name)
    const text = scripts[name].text ?? ''
    const end = chunks.findIndex((_, index) => fold(asker, chunks.slice(0, index + 1)).reply.finish !== 'cut')
    expect(chunks.length - end, 'only what it cost may come behind the end').toBeLessThanOrEqual(2)
    for (let count = 0; count <= end; count++) {
      const { reply, deltas } = fold(asker, chunks.slice(0, count))
      expect(reply.finish).toBe('cut')
      const words = textIn(asker, reply.messages)
      expect(text.startsWith(words)).toBe(true)
      expect(words).toBe(textOf(deltas).trim() === '' ? '' : textOf(deltas))
      expect(reply.messages.length).toBe(words === '' ? 0 : 1)
      expect(callsIn(asker, reply.messages)).toEqual([])
      expect(callsIn(asker, reply.left).length).toBe(deltas.filter(({ kind }) => kind === 'call').length)
      const thought = deltas.map(delta => (delta.kind === 'reasoning' ? delta.text : '')).join('')
      if (thought !== '') expect(JSON.stringify(reply.left)).toContain(thought)
      expectSendable(asker, reply.messages)
    }
    for (let count = end + 1; count <= chunks.length; count++)
      expect(fold(asker, chunks.slice(0, count)).reply.finish).toBe(endOf(asker, name))
  })

  test('an error inside a stream is kept, and the reply is cut', async () => {
    await using strict = await startStrict({ script: () => scripts['parallel calls'], mode: 'overload:stream' })
    const run = known.fold()
    const hearing = async () => {
      for await (const chunk of await asker.stream(strict.url, [asker.user('Go.')], false)) run.push(chunk)
    }
    const thrown = await hearing().catch(error => error)
    expect(thrown ?? run.failure).toBeDefined()
    expect(run.end().finish).toBe('cut')
    expectSendable(asker, run.end().messages)
    const chunks = chunksOf('parallel calls')
    for (const error of errors[asker.format] ?? []) {
      const { reply, failure } = fold(asker, [...chunks.slice(0, -3), error, ...chunks.slice(-3)])
      expect(failure).toEqual(Object.values(error).find(value => typeof value === 'object') ?? error)
      expect(reply.finish).toBe('cut')
      expect(callsIn(asker, reply.messages)).toEqual([])
    }
  })

  test('its chunks are recognised by its own codec only, without a warning', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    for (const name of each) {
      for (const chunk of chunksOf(name)) {
        const found = Object.entries(replies).filter(([, known]) => known.recognises(chunk))
        const isShared = (chunk as { type?: string }).type === 'ping'
        expect(found.map(([id]) => id)).toEqual(isShared ? [] : [asker.format])
      }
      const { whole } = heard.get(name) as Heard
      const readers = Object.entries(replies).filter(([, known]) => known.read(whole) !== undefined)
      expect(readers.map(([id]) => id)).toEqual([asker.format])
    }
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })

  test('nothing that comes is changed, and nothing that is asked for twice differs', () => {
    for (const name of each) {
      const { whole, chunks } = structuredClone(heard.get(name) as Heard)
      const run = known.fold()
      expect(known.read(deepFreeze(whole))).toEqual(wholeOf(name))
      for (const chunk of chunks) run.push(deepFreeze(chunk))
      const before = run.end()
      expect(run.end()).toEqual(before)
    }
  })

  test('whatever stands in the place of a value, nothing throws', () => {
    const seen = [...heard.values()]
    const chunks = seen.flatMap(({ chunks }) => chunks)
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(), anything), { maxLength: 12 }), changes => {
        const run = known.fold()
        for (const [place, path, value] of changes) {
          const chunk = chunks[place % chunks.length]
          run.push(chunk)
          run.push(changed(chunk, path, value))
        }
        expectReply(run.end())
      }),
      { numRuns: 300 },
    )
    fc.assert(
      fc.property(fc.nat(), fc.nat(), anything, (place, path, value) => {
        const reply = known.read(changed(seen[place % seen.length].whole, path, value))
        if (reply) expectReply(reply)
      }),
      { numRuns: 300 },
    )
  })
})

/** What providers send inside a stream when they fail. */
const errors: Partial<Record<CodecId, Record<string, unknown>[]>> = {
  'openai-chat': [{ error: { message: 'Overloaded', code: 503 } }],
  'openai-responses': [
    { type: 'error', error: { code: 'server_error', message: 'Overloaded' } },
    { type: 'error', code: 'server_error', message: 'Overloaded', param: null },
  ],
  anthropic: [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
  gemini: [{ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }],
}

/** Two servers, so that both give out the same ids. */
async function hear(asker: Asker, said: ReplyContent): Promise<Heard> {
  const script = () => ({ ...said, usage: { input: 7, output: 9 } })
  await using one = await startStrict({ script })
  const whole = await asker.whole(one.url, [asker.user('Go.')], false)
  await using other = await startStrict({ script })
  return { whole, chunks: await all(await asker.stream(other.url, [asker.user('Go.')], false)) }
}

async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const chunks: unknown[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

function fold({ format }: Pick<Asker, 'format'>, chunks: readonly unknown[]) {
  const run = replies[format].fold()
  const deltas: ReplyDelta[] = chunks.flatMap(chunk => run.push(chunk))
  return { reply: run.end(), deltas, failure: run.failure }
}

const partsIn = ({ format }: Pick<Asker, 'format'>, messages: readonly unknown[] = []): Part[] =>
  codecs[format].decode(messages).messages.flatMap(({ parts }) => parts)

const callsIn = (asker: Pick<Asker, 'format'>, messages?: readonly unknown[]) =>
  partsIn(asker, messages)
    .filter(part => part.kind === 'call')
    .map(({ name, input }) => ({ name, input: valueIn(input) }))

const valueIn = (input: unknown): unknown => {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input.startsWith('{"city": "Lisbon') ? {} : input
  }
}

const textIn = (asker: Pick<Asker, 'format'>, messages: readonly unknown[]): string =>
  partsIn(asker, messages)
    .map(part => (part.kind === 'text' ? part.text : part.kind === 'other' ? refusalIn(part.raw) : ''))
    .join('')

/** A refusal is a field of its own in chat, and a block of its own in responses. */
const refusalIn = (raw: unknown): string => (typeof raw === 'string' ? raw : '')

const textOf = (deltas: readonly ReplyDelta[]): string =>
  deltas.map(delta => (delta.kind === 'text' ? delta.text : '')).join('')

/**
 * The rules that a history breaks, but for the calls that are open. Models that think never call without it. The strict
 * model refuses in the field of OpenAI wherever it is asked, which others do not read.
 */
const faultsOf = ({ format, reader, model }: Asker, history: unknown[], thinking: boolean): string[] =>
  check(history, { format, for: reader, model: format === 'openai-responses' && !thinking ? 'gpt-4.1' : model })
    .map(({ rule }) => rule)
    .filter(rule => rule !== 'unanswered-call' && rule !== 'unread-refusal')

function expectSendable(asker: Asker, messages: readonly unknown[]): void {
  const history = [asker.user('Go.'), ...messages, asker.user('Go on.')]
  const options = { format: asker.format, for: asker.reader, model: asker.model }
  if (messages.length === 0) return
  const found = check(history, options).filter(({ rule }) => rule !== 'unread-refusal')
  expect(found).toEqual([])
  const { messages: healed } = repair(history, options)
  expect(check(healed, options)).toEqual([])
  if (!JSON.stringify(messages).includes('"refusal"')) expect(healed).toBe(history)
}

function expectReply({ messages, finish, left }: Reply): void {
  expect(Array.isArray(messages)).toBe(true)
  expect(left === undefined || left.length > 0).toBe(true)
  expect(['stop', 'length', 'refusal', 'pause', 'cut']).toContain(finish)
}
