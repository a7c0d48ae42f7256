import { expect, test } from 'vitest'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { openJournal } from '../../src/journal/index.ts'
import { later } from '../journal/contract/later.ts'

const chunk = (delta: object, reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: reason }],
})

const post = (id: string): Request =>
  new Request('http://site/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, message: { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hello' }] } }),
  })

test('[SE150] the stream of a chat that nobody reads ends, and its answer goes on', async () => {
  const journal = await openJournal('memory:')
  const [begun, end] = [later<void>(), later<void>()]
  async function* model() {
    yield chunk({ role: 'assistant', content: 'first ' })
    begun.keep()
    await end.promise
    yield chunk({ content: 'last' })
    yield chunk({}, 'stop')
  }
  const done = later<unknown>()
  const handler = chatHandler(journal, { model, unreadMs: 1, waitUntil: done.keep })
  const { body } = await handler(post('t'))
  await begun.promise
  expect(await readSlowly(body as ReadableStream<Uint8Array>)).toContain('did not read its answer in time')
  end.keep()
  await await done.promise
  const shown = await (await handler(new Request('http://site/chat/t'))).text()
  expect(shown).toContain('first last')
  await journal.close()
})

test('[SE150] a stream that is read ends only with its answer, however long the model takes', async () => {
  const journal = await openJournal('memory:')
  async function* model() {
    for (let count = 0; count < 5; count++) {
      yield chunk({ role: 'assistant', content: `${count} ` })
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    yield chunk({}, 'stop')
  }
  const handler = chatHandler(journal, { model, unreadMs: 10_000 })
  const text = await (await handler(post('t'))).text()
  expect(text).toContain('4 ')
  expect(text).toContain('"finish"')
  await journal.close()
})

test('[SE150] with onDisconnect stop, the answer that nobody reads is stopped', async () => {
  const journal = await openJournal('memory:')
  async function* model({ signal }: { signal: AbortSignal }) {
    yield chunk({ role: 'assistant', content: 'first ' })
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const done = later<unknown>()
  const handler = chatHandler(journal, { model, unreadMs: 1, onDisconnect: 'stop', waitUntil: done.keep })
  const { body } = await handler(post('t'))
  await await done.promise
  expect((await journal.thread('t').status()).last).toMatchObject({ status: 'interrupted' })
  await body?.cancel()
  await journal.close()
})

/** Reads with pauses, in which what waits is unread for too long. */
async function readSlowly(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader()
  let text = ''
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, 20))
    const { done, value } = await reader.read()
    if (done) return text
    text += new TextDecoder().decode(value)
  }
}
