import { afterEach, beforeEach, expect, test } from 'vitest'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { type Journal, openJournal } from '../../src/journal/index.ts'
import { says } from '../journal/contract/model.ts'

let journal: Journal
/** The files that cannot be fetched. */
let gone: Set<string>
let prompt: string

beforeEach(async () => {
  journal = await openJournal('memory:')
  gone = new Set()
})

afterEach(() => journal.close())

/** Fails as the AI SDK does, which names the first file that it cannot fetch. */
function model({ messages }: { messages: readonly unknown[] }) {
  prompt = JSON.stringify(messages)
  const [first] = [...gone].filter(url => prompt.includes(`"${url}"`))
  if (first !== undefined)
    throw Object.assign(new Error(`Failed to download ${first}: 404 Not Found`), { name: 'AI_DownloadError' })
  return says('Yes.')
}

const place = (name: string): string => `https://files.example/${name}.png`
const file = (name: string) => ({ type: 'file', mediaType: 'image/png', url: place(name) })
const lostFile = (name: string): string => `[file at ${place(name)} could not be fetched]`

let messages = 0

/** Whether the message was answered. A process of its own answers each, so that all that is known is in the journal. */
async function isAnswered(...parts: object[]): Promise<boolean> {
  const handler = chatHandler(journal, { model, onError() {}, thread: { for: 'openai' } })
  const message = { id: `m${++messages}`, role: 'user', parts: [{ type: 'text', text: 'Do you see it?' }, ...parts] }
  const body = JSON.stringify({ id: 'c1', message })
  const headers = { 'content-type': 'application/json' }
  const answer = await handler(new Request('http://site/chat', { method: 'POST', body, headers }))
  return (await answer.text()).includes('"Yes."')
}

test('[SE490] of many files of one message that cannot be fetched, the chat fails for two messages at most', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `new-${index}`)
  expect(await isAnswered(file('whole'))).toBe(true)
  gone = new Set(names.map(place))
  expect(await isAnswered(...names.map(file))).toBe(false)
  expect(await isAnswered(file('later'))).toBe(false)
  expect(await isAnswered()).toBe(true)
  for (const name of names) expect(prompt).toContain(lostFile(name))
  // These can be fetched: one was answered before, and the other came with the second message.
  for (const name of ['whole', 'later']) expect(prompt).not.toContain(lostFile(name))
})

test('[SE490] when the links of many messages expire, the chat fails for two messages at most', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `old-${index}`)
  for (const name of names) expect(await isAnswered(file(name))).toBe(true)
  gone = new Set(names.map(place))
  expect(await isAnswered()).toBe(false)
  expect(await isAnswered(file('later'))).toBe(false)
  expect(await isAnswered()).toBe(true)
  for (const name of names) expect(prompt).toContain(lostFile(name))
  expect(prompt).not.toContain(lostFile('later'))
  gone.clear()
  expect(await isAnswered(file('old-3'))).toBe(true)
  expect(prompt).not.toContain(lostFile('old-3'))
})
