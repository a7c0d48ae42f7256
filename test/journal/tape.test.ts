import { join } from 'node:path'
import { expect, test } from 'vitest'
import { healFetch } from '../../src/integrations/fetch/index.ts'
import { openJournal } from '../../src/journal/open-journal.ts'
import { run } from '../../src/journal/run.ts'
import { inspect, readTape, type TapeEntry } from '../../src/observe/tape/index.ts'
import { startStrict } from '../../src/strict/index.ts'
import { folder } from '../apps/cli/program.ts'
import { recording } from '../observe/tape/recording.ts'
import { scripted } from './contract/model.ts'
import { taken } from './contract/turn.ts'

const kinds = (entries: readonly TapeEntry[]): string[] => entries.map(({ kind }) => kind)

function taped() {
  const { tape, text } = recording()
  return { tape, entries: () => readTape(text()).entries }
}

test('[B255] what a run writes is on the tape of its journal, in order, by the ids of the provider', async () => {
  const { tape, entries } = taped()
  await using journal = await openJournal('memory:', { tape })
  const thread = journal.thread('ada', { for: 'openai' })
  await thread.submit('Look in Lisbon.')
  const tools = {
    look: { execute: () => 'a cat' },
    pay: {
      execute: () => {
        throw new Error('no money')
      },
    },
  }
  const model = scripted(
    [
      ['look', {}, 'call_1'],
      ['pay', {}, 'call_2'],
    ],
    'Well.',
  )
  await run(thread, { model, tools })
  expect(kinds(entries()).slice(0, 2)).toEqual(['input', 'response'])
  expect(kinds(entries()).at(-1)).toBe('response')
  expect(new Set(entries().map(entry => entry.thread))).toEqual(new Set(['ada']))
  expect(entries()[0]).toMatchObject({ content: 'xxxx xx xxxxxx.' })
  const once = { recorded: {}, starts: [expect.any(Number)] }
  expect(inspect(entries()).calls).toMatchObject([
    { id: 'call_1', name: 'look', ...once, ends: [{ status: 'done' }] },
    { id: 'call_2', name: 'pay', ...once, ends: [{ status: 'error' }] },
  ])
})

test('[B255] the tape has an interrupt, and every input however it is submitted', async () => {
  const { tape, entries } = taped()
  await using journal = await openJournal('memory:', { tape })
  const thread = journal.thread('ada', { for: 'openai' })
  await thread.submit('Go.', { key: 'one' })
  await thread.submit('Go.', { key: 'one' })
  await thread.submit('And this.', { whenApproving: 'deny' })
  expect(kinds(entries())).toEqual(['input', 'input'])
  const turn = await taken(thread)
  await thread.interrupt('enough')
  await turn.finish()
  expect(kinds(entries())).toEqual(['input', 'input', 'interrupt'])
  expect(entries()[2]).toMatchObject({ reason: 'xxxxxx' })
})

test('[B255] a tape has what this process wrote, and nothing that others wrote to the same thread', async () => {
  const [one, other] = [taped(), taped()]
  const where = `sqlite:${join(folder(), 'chat.db')}`
  await using here = await openJournal(where, { tape: one.tape })
  await using there = await openJournal(where, { tape: other.tape })
  const thread = here.thread('ada', { for: 'openai' })
  await there.thread('ada', { for: 'openai' }).submit('Hi.')
  await run(thread, { model: scripted('Hello.') })
  await there.thread('ada', { for: 'openai' }).messages()
  expect(kinds(one.entries())).toEqual(['response'])
  expect(kinds(other.entries())).toEqual(['input'])
})

test('[B256] with healFetch on the same tape, its requests and the calls belong to one conversation', async () => {
  const { tape, entries } = taped()
  await using strict = await startStrict({ script: [{ calls: [{ name: 'look', id: 'call_1' }] }, 'A cat.'] })
  await using journal = await openJournal('memory:', { tape })
  const thread = journal.thread('ada', { for: 'openai' })
  await thread.submit('Look.')
  const fetch = healFetch({ tape })
  const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } }
  await run(thread, {
    model: async ({ messages }) => {
      const body = JSON.stringify({ model: 'gpt-5', messages, tools: [tool] })
      return (await fetch(`${strict.url}/v1/chat/completions`, { method: 'POST', body })).json()
    },
    tools: { look: { execute: () => 'a cat' } },
  })
  const { requests, calls, firstFailure } = inspect(entries())
  expect(requests.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted'])
  expect(calls).toMatchObject([
    {
      ...{ id: 'call_1', recorded: { request: 1 }, starts: [expect.any(Number)], ends: [{ status: 'done' }] },
      sent: [{ request: 2, answered: true }],
    },
  ])
  expect(firstFailure).toBeUndefined()
})
