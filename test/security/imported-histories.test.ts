import { describe, expect, test } from 'vitest'
import { agUiHandler } from '../../src/integrations/ag-ui/index.ts'
import { MemoryStore, openJournal } from '../../src/journal/index.ts'
import type { Store } from '../../src/journal/stores/store.ts'

const call = (number: number) => ({
  ...{ id: `call-${number}`, type: 'function' },
  function: { name: 'pay', arguments: '{}' },
})

/** What a client has that was connected to another server before: four turns with a payment each, and a new message. */
const history = [
  ...[1, 2, 3, 4].flatMap(number => [
    { id: `user-${number}`, role: 'user', content: `Pay bill ${number}.` },
    { id: `calls-${number}`, role: 'assistant', toolCalls: [call(number)] },
    { id: `result-${number}`, role: 'tool', toolCallId: `call-${number}`, content: `Paid ${number}.` },
    { id: `answer-${number}`, role: 'assistant', content: `Bill ${number} is paid.` },
  ]),
  { id: 'new', role: 'user', content: 'Which bills are paid?' },
]

/** A store whose process is killed before this write: nothing that it does from then on is ever done. */
function killedBefore(store: Store, write: number): { store: Store; isKilled(): boolean } {
  let count = 0
  const killed = new Proxy(store, {
    get(target, name: keyof Store) {
      const value = target[name]
      if (typeof value !== 'function') return value
      return (...args: never[]) => {
        if (name === 'write') count++
        return count > write ? new Promise(() => {}) : (value as (...args: never[]) => unknown).apply(target, args)
      }
    },
  })
  return { store: killed, isKilled: () => count > write }
}

/** Sends a run to a server on this store. Returns the texts of the user in each request to the model. */
async function post(store: Store, messages: readonly object[]): Promise<{ asked: string[][]; text: string }> {
  const asked: string[][] = []
  const journal = await openJournal(store, { telemetry: false })
  const handler = agUiHandler(journal, {
    unknownHistory: 'adopt',
    for: 'openai',
    thread: { leaseMs: 100 },
    tools: { pay: { execute: () => 'Paid again.' } },
    async model({ messages }) {
      const users = (messages as { role: string; content: string }[]).filter(({ role }) => role === 'user')
      asked.push(users.map(({ content }) => content))
      const message = { role: 'assistant', content: 'All of them.' }
      return { id: 'response', object: 'chat.completion', choices: [{ index: 0, finish_reason: 'stop', message }] }
    },
  })
  const run = { threadId: 'thread', runId: 'run', state: {}, messages, tools: [], context: [], forwardedProps: {} }
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const response = await handler(new Request('http://site/', { method: 'POST', headers, body: JSON.stringify(run) }))
  return { asked, text: await response.text() }
}

const questions = history.flatMap(({ role, content }) => (role === 'user' ? [content] : []))

describe('the history of a client that is taken up', () => {
  test('[SE382] is complete after a kill at any write, and nothing in it is asked again', async () => {
    let write = 0
    for (; ; write++) {
      const store = new MemoryStore()
      const first = killedBefore(store, write)
      const over = post(first.store, history)
      while (!first.isKilled() && (await Promise.race([over, new Promise(setImmediate)])) === undefined);
      if (!first.isKilled()) break
      const { asked, text } = await post(store, history)
      expect({ write, asked }).toEqual({ write, asked: [questions] })
      expect(text).toContain('"RUN_FINISHED"')
    }
    expect(write).toBeGreaterThan(2)
  })

  test('[SE382] is taken up once by requests at the same time', async () => {
    const store = new MemoryStore()
    const posts = await Promise.all([post(store, history), post(store, history), post(store, history)])
    for (const { text } of posts) expect(text).toContain('"RUN_FINISHED"')
    expect(posts.flatMap(({ asked }) => asked)).toEqual([questions])
  })

  test('[SE382] may have two messages with one id', async () => {
    const same = [
      ...history.slice(0, 8).map(message => ({ ...message, ...(message.role === 'user' && { id: 'user' }) })),
      ...history.slice(-1),
    ]
    const { asked, text } = await post(new MemoryStore(), same)
    expect(asked).toEqual([['Pay bill 1.', 'Pay bill 2.', 'Which bills are paid?']])
    expect(text).toContain('"RUN_FINISHED"')
  })
})
