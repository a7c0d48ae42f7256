import { expect, test } from 'vitest'
import { evolve, initialState } from '../../../src/journal/fold.ts'
import { openJournal, run } from '../../../src/journal/index.ts'
import { tapeEntry } from '../../../src/journal/tracing/tape-entry.ts'
import { inspect, readTape } from '../../../src/observe/tape/index.ts'
import { recording } from './recording.ts'

const answer = (message: object, finish_reason: string): object => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'gpt-5' },
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }],
})

test('[TP19] what is written to a journal is told to a tape, with the ids that the wire has', async () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"where":"Lisbon"}' } }
  await using journal = await openJournal('memory:')
  const thread = journal.thread('ada', { for: 'openai' })
  await thread.submit('Look in Lisbon.')
  const replies = [answer({ tool_calls: [call] }, 'tool_calls'), answer({ content: 'A cat.' }, 'stop')]
  await run(thread, { model: async () => replies.shift(), tools: { look: { execute: () => 'a cat' } } })

  const { tape, text } = recording()
  const { thread: row, uid } = await journal.store.open('ada')
  const state = initialState(uid)
  for (const entry of await journal.store.read(row, 0, 100)) {
    evolve(state, entry)
    tapeEntry(tape, entry, state, 'ada')
  }
  const { entries } = readTape(text())
  expect(entries.map(({ kind, thread }) => [kind, thread])).toEqual(
    ['input', 'response', 'call-start', 'call-end', 'response'].map(kind => [kind, 'ada']),
  )
  expect(entries[0]).toMatchObject({ content: 'xxxx xx xxxxxx.' })
  expect(inspect(entries).calls).toMatchObject([
    { id: 'call_1', name: 'look', recorded: {}, starts: [expect.any(Number)], ends: [{ status: 'done' }] },
  ])
})

test('[TP19] a response that a seam has seen, too, makes each call once', () => {
  const { tape, text } = recording()
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const message = { role: 'assistant', content: null, tool_calls: [call] }
  const request = tape.request({ body: { model: 'gpt-5', messages: [{ role: 'user', content: 'Look.' }] } })
  tape.response(request, { status: 200, body: answer(message, 'tool_calls') })
  tape.response(undefined, { reply: { messages: [message], finish: 'stop' } })
  tape.callStart({ id: 'call_1', name: 'look' })
  expect(inspect(readTape(text()).entries).calls).toMatchObject([
    { id: 'call_1', recorded: { request: 1 }, starts: [expect.any(Number)] },
  ])
})
