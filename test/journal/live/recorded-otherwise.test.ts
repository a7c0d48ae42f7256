import { expect, test } from 'vitest'
import type { DialectId } from '../../../src/index.ts'
import { type Entry, openJournal, run, type Tools } from '../../../src/journal/index.ts'
import { type LiveItem, LiveReader } from '../../../src/journal/live/live-reader.ts'
import { StreamedResponse } from '../../../src/journal/live/streamed-response.ts'

type Case = readonly [what: string, dialect: DialectId, chunks: readonly unknown[]]

const anthropic = (...blocks: readonly (string | { readonly call: string })[]): unknown[] => [
  { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'm' } },
  ...blocks.flatMap((block, index) => {
    const [content_block, ...deltas] =
      typeof block === 'string'
        ? [{ type: 'text', text: '' }, ...[...block].map(text => ({ type: 'text_delta', text }))]
        : [{ type: 'tool_use', id: block.call, name: 'look', input: {} }]
    return [
      { type: 'content_block_start', index, content_block },
      ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
  }),
  { type: 'message_delta', delta: { stop_reason: blocks.some(isCall) ? 'tool_use' : 'end_turn' } },
  { type: 'message_stop' },
]

const isCall = (block: unknown): boolean => typeof block === 'object'

const openai = (...deltas: readonly object[]): unknown[] =>
  [...deltas, {}].map((delta, index) => ({
    ...{ id: 'c', object: 'chat.completion.chunk' },
    choices: [{ index: 0, delta, finish_reason: index === deltas.length ? 'stop' : null }],
  }))

const cases: readonly Case[] = [
  ['blanks before a call', 'anthropic', anthropic('\n\n', { call: 'toolu_1' })],
  ['blanks between blocks', 'anthropic', anthropic('\n', 'I look. ', '\n', { call: 'toolu_1' })],
  ['a refusal', 'openai', openai({ role: 'assistant', refusal: 'I can' }, { refusal: 'not.' })],
]

test.each(cases)('[LV1] what is recorded is not retracted: %s', async (_, dialect, chunks) => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: dialect })
  await thread.submit('Hello')
  const kinds: string[] = []
  thread.follow(item => void kinds.push(item.kind))
  const answers = [chunks, anthropic('Done.')]
  const model = async function* () {
    yield* answers.shift() ?? []
  }
  const tools: Tools = { look: { execute: () => 'a ship' } }
  await run(thread, { model, tools })
  expect(kinds.slice(0, kinds.indexOf('response-record'))).toContain('delta')
  expect(kinds).not.toContain('response-retract')
})

/** What a reader gets when a response is recorded after it was shown this text. */
function closed(text: string, recorded: string): LiveItem[] {
  const reader = new LiveReader({ position: 1 }, { epoch: 1, closedAt: 1 })
  const now = new StreamedResponse({ epoch: 1, stream: 1 }, 1)
  now.push({ kind: 'text', text })
  reader.pull(now)
  const entry: Entry = {
    ...{ seq: 2, at: 1, epoch: 1, kind: 'response-record', turn: 1, format: 'anthropic', dialect: 'anthropic' },
    ...{ finish: 'stop', messages: [{ role: 'assistant', content: recorded }], calls: [] },
  }
  return reader.entry(entry, now)
}

test.each([
  ['\n\nansw', 'answer', 'er'],
  ['\n\na ', 'a b', 'b'],
  ['\n', 'answer', 'answer'],
  ['I look.\n', 'I look.', ''],
])('[LV1] a reader that was shown %j of %j gets the rest, %j', (text, recorded, rest) => {
  const deltas = rest === '' ? [] : [{ kind: 'delta', delta: { kind: 'text', text: rest } }]
  expect(closed(text, recorded)).toMatchObject([...deltas, { kind: 'response-record' }])
})

test('[LV1] a text that differs in more than blanks is retracted', () => {
  expect(closed('\nanother', 'an answer')).toMatchObject([{ kind: 'response-retract' }, { kind: 'response-record' }])
})
