import { EventType } from '@ag-ui/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EventStream } from '../../src/integrations/ag-ui/event-stream.ts'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { openJournal } from '../../src/journal/index.ts'
import { ThreadLimiter } from '../../src/journal/stores/postgres/thread-limiter.ts'
import { serve, upstream } from '../integrations/proxy/serving.ts'
import { later } from '../journal/contract/later.ts'

const pause = (ms = 50) => new Promise(resolve => setTimeout(resolve, ms))

const overflows: string[] = []
const note = ({ name, message }: Error) => {
  if (name === 'TimeoutOverflowWarning') overflows.push(message)
}
beforeEach(() => {
  overflows.length = 0
  process.on('warning', note)
})
afterEach(() => {
  process.off('warning', note)
  expect(overflows).toEqual([])
})

const delays = [Number.POSITIVE_INFINITY, 2 ** 31]

test.each(delays)('[SE502] with graceMs %s the proxy lets an answer end', async graceMs => {
  const [asked, end] = [later<void>(), later<void>()]
  const slow = await upstream(async (_, response) => {
    response.write('first ')
    asked.keep()
    await end.promise
    response.end('last')
  })
  const { url, proxy } = await serve({ to: slow.url })
  const answer = fetch(`${url}/v1/models`).then(response => response.text())
  await asked.promise
  await pause()
  const closed = proxy.close({ graceMs })
  await pause()
  end.keep()
  expect(await answer).toBe('first last')
  await closed
})

test.each(delays)('[SE502] with unreadMs %s no slow client of a chat is given up', async unreadMs => {
  const journal = await openJournal('memory:')
  async function* model() {
    for (const content of ['one ', 'two ', 'three'])
      yield { choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] }
    yield { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  }
  const handler = chatHandler(journal, { model, unreadMs })
  const response = await handler(
    new Request('http://site/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 't', message: { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hello' }] } }),
    }),
  )
  const text = await readSlowly(response.body as ReadableStream<Uint8Array>)
  expect(text).toContain('three')
  expect(text).not.toContain('did not read')
  await journal.close()
})

test.each(delays)('[SE502] with unreadMs and keepAliveMs %s an AG-UI client is not given up', async ms => {
  const gone: string[] = []
  const encode = (event: object): string => `data: ${JSON.stringify(event)}\n\n`
  const encoder = { encode: (event: object) => new TextEncoder().encode(encode(event)), getContentType: () => '' }
  const events = new EventStream({
    ...{ encoder: encoder as never, keepAliveMs: ms, unreadBytes: 1_000_000, unreadMs: ms },
    ...{ onError: error => gone.push(String(error)), onGone: () => gone.push('gone') },
  })
  const body = new ReadableStream<Uint8Array>(events, { highWaterMark: 0 })
  events.send({ type: EventType.TEXT_MESSAGE_START, messageId: 'm', role: 'assistant' })
  await pause()
  const text = readSlowly(body)
  await pause(100)
  events.end()
  expect([await text, gone]).toEqual([expect.stringMatching(/^data: \{[^\n]*TEXT_MESSAGE_START[^\n]*\n\n$/), []])
})

test.each(delays)('[SE502] with busyMs %s a write waits for its turn', async busyMs => {
  const limiter = new ThreadLimiter(1, busyMs)
  const end = later<void>()
  const writes = [limiter.run('write', 1, () => end.promise), limiter.run('write', 2, async () => {})]
  await pause()
  end.keep()
  expect(await Promise.allSettled(writes)).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
})

async function readSlowly(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader()
  let text = ''
  for (;;) {
    await pause(20)
    const { done, value } = await reader.read()
    if (done) return text
    text += new TextDecoder().decode(value)
  }
}
