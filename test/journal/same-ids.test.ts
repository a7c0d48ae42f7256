import { expect, test } from 'vitest'
import { openJournal } from '../../src/journal/open-journal.ts'
import type { Thread } from '../../src/journal/thread.ts'
import { readers } from '../strict/readers.ts'
import { taken } from './contract/turn.ts'
import { refusalOf } from './invariants/prefixes.ts'

const call = (toolName: string) => ({ type: 'tool-call', toolCallId: 'a', toolName, input: {} })
const result = (toolName: string, value: string) => ({
  ...{ type: 'tool-result', toolCallId: 'a', toolName },
  output: { type: 'text', value },
})

/** What a framework gives back that has run tools by itself. */
const response = (...messages: object[]) => ({
  steps: [{ finishReason: 'tool-calls', content: [], usage: {}, response: { messages } }],
})

async function opened(): Promise<Thread> {
  const journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'lenient', format: 'ai-sdk' })
  await thread.submit('Go.')
  return thread
}

test('[B253] calls of one response that share an id keep their own results, for every provider', async () => {
  const thread = await opened()
  const turn = await taken(thread)
  const both = { role: 'assistant', content: [call('pay'), call('mail')] }
  const results = { role: 'tool', content: [result('pay', 'paid'), result('mail', 'mailed')] }
  expect(await turn.record(response(both, results))).toEqual([])
  for (const reader of readers) {
    const { dialect, format, model } = reader
    const messages = await thread.messages({ for: dialect, format, model })
    expect(refusalOf(messages, reader), dialect).toBeUndefined()
    const text = JSON.stringify(messages)
    expect(text, dialect).not.toContain('[no result]')
    // Some readers want every step to have one call, so a result may stand in front of the next call.
    for (const order of [
      ['pay', '"paid', '"mailed'],
      ['mail', '"mailed'],
    ]) {
      const places = order.map(word => text.indexOf(word))
      expect(places, dialect).toEqual(places.toSorted((one, other) => one - other))
    }
  }
  await turn.finish()
})

test('[B254] a result answers one call; another call with the same id is still to be performed', async () => {
  const thread = await opened()
  const turn = await taken(thread)
  const open = await turn.record(
    response(
      { role: 'assistant', content: [call('pay')] },
      { role: 'tool', content: [result('pay', 'paid')] },
      { role: 'assistant', content: [call('mail')] },
    ),
  )
  expect(open.map(({ name }) => name)).toEqual(['mail'])
  await turn.settle(open[0], 'mailed')
  const text = JSON.stringify(await thread.messages({ for: 'anthropic' }))
  for (const word of ['paid', 'mailed']) expect(text).toContain(word)
  expect(text).not.toContain('[no result]')
  await turn.finish()
})

test('[B186] bytes that a caller changes are its own too', async () => {
  const journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'lenient', format: 'ai-sdk' })
  await thread.submit({ role: 'user', content: [{ type: 'image', image: new Uint8Array([1, 2, 3]) }] })
  const turn = await taken(thread)
  const imageOf = (messages: unknown[]) => (messages as { content: { image: Uint8Array }[] }[])[0].content[0].image
  imageOf(turn.messages).fill(9)
  expect([...imageOf(turn.messages)]).toEqual([1, 2, 3])
  await turn.finish()
})
