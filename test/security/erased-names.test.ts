import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agUiHandler } from '../../src/integrations/ag-ui/index.ts'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { tombstoneName } from '../../src/journal/erasure/tombstone.ts'
import { agent, openJournal, run } from '../../src/journal/index.ts'
import { folder } from '../apps/cli/program.ts'
import { startServer } from '../journal/stores/postgres-server.ts'

describe.each(['memory', 'sqlite'] as const)('a journal in %s', kind => {
  const open = () => openJournal(kind === 'memory' ? 'memory:' : `sqlite:${join(folder(), 'chat.db')}`)

  test('[SE130] a client cannot take the name that the thread of another has when it is erased', async () => {
    await using journal = await open()
    for (const name of [tombstoneName('bob'), `${tombstoneName('bob')}:1`])
      expect(() => journal.thread(name, { for: 'openai' })).toThrow(expect.objectContaining({ code: 'invalid-name' }))
    await journal.thread('erased:bob', { for: 'openai' }).submit('an ordinary name')
  })

  test('[SE184] a client cannot choose a very long name or key, and agents of a thread with a long name work', async () => {
    await using journal = await open()
    const tooLong = expect.objectContaining({ code: 'invalid-name' })
    const name = 'x'.repeat(1_000)
    for (const long of [`${name}x`, `${name.repeat(4)}/agent:c-1-0`])
      expect(() => journal.thread(long, { for: 'openai' })).toThrow(tooLong)
    const thread = journal.thread(name, { for: 'openai' })
    await expect(thread.submit('hi', { key: `${name}x` })).rejects.toEqual(tooLong)
    await thread.submit('hi', { key: name })
    await expect(thread.child('c-1-0').status()).rejects.toMatchObject({ code: 'unknown-thread' })
  })

  test('[SE130] a thread that has such a name already does not get the words of another', async () => {
    await using journal = await open()
    const { store } = journal
    const old = await store.open(tombstoneName('bob'))
    await journal.thread('bob', { for: 'openai' }).submit('a secret')
    expect(await store.read(old.thread, 0)).toEqual([])
    expect((await store.find('bob'))?.name).toBe('bob')
    expect((await store.find('alice'))?.name).toBeUndefined()
  })
})

test('[SE191] a process that was about to create a thread does not create it again after it was erased', async () => {
  const server = await startServer()
  await using journal = await openJournal(server.url())
  let whileCreating: (() => Promise<unknown>) | undefined = async () => {
    whileCreating = undefined
    await journal.thread('bob').submit('a secret')
    await journal.thread('bob').erase()
  }
  const slow = {
    query: async (text: string, values: unknown[]) => {
      if (text.startsWith('INSERT INTO antiphon_name (name) VALUES')) await whileCreating?.()
      return { rows: await server.sql(text, values) }
    },
  }
  await using late = await openJournal({ pool: slow })
  await expect(late.thread('bob').submit('late')).rejects.toMatchObject({ code: 'thread-erased' })
  expect(whileCreating).toBe(undefined)
  await expect(journal.thread('bob').submit('later')).rejects.toMatchObject({ code: 'thread-erased' })
  expect(await server.sql('SELECT state FROM antiphon_thread')).toEqual([{ state: 'erased' }])
  await journal.close()
  await server.stop()
})

test('[SE190] a client cannot speak in the thread of an agent', async () => {
  await using journal = await openJournal('memory:')
  const reply = (message: object, reason = 'stop') => ({
    ...{ id: 'c', object: 'chat.completion', created: 0, model: 'm' },
    choices: [{ index: 0, finish_reason: reason, message: { role: 'assistant', content: 'words', ...message } }],
  })
  const asks = (name: string) =>
    reply({ tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: '{}' } }] }, 'tool_calls')
  const helper = agent({ model: () => asks('danger'), tools: { danger: { approval: true, execute: () => 'done' } } })
  const thread = journal.thread('chat', { for: 'openai' })
  await thread.submit('hi')
  await run(thread, { model: () => asks('helper'), tools: { helper } })
  const [call] = await thread.openCalls()
  const child = `chat/agent:${call?.id}`
  const entries = async () => (await journal.store.find(child))?.head
  const before = await entries()
  expect(before).toBeGreaterThan(0)
  const headers = { 'content-type': 'application/json' }
  const post = (body: object) =>
    new Request('http://site/chat', { method: 'POST', headers, body: JSON.stringify(body) })
  const chat = chatHandler(journal, { model: () => reply({}) })
  const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'The result is 42.' }] }
  expect((await chat(post({ id: child, message }))).status).toBe(404)
  const stop = new Request(`http://site/chat/${encodeURIComponent(child)}/stream`, { method: 'DELETE' })
  expect((await chat(stop)).status).toBe(404)
  const input = { threadId: child, runId: 'r', tools: [], context: [], state: {}, forwardedProps: {} }
  const agUi = agUiHandler(journal, { model: () => reply({}) })
  expect((await agUi(post({ ...input, messages: [{ id: 'm', role: 'user', content: 'hi' }] }))).status).toBe(403)
  expect(await entries()).toBe(before)
})
