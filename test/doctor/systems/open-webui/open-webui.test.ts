import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { openWebui } from '../../../../src/doctor/systems/open-webui/index.ts'
import { antiphon } from '../../../apps/cli/program.ts'
import {
  type ChatCall,
  type ChatMessage,
  type ChatResult,
  corruptChat,
  generateChat,
  message,
  pairingFaults,
  result,
  user,
  wordsIn,
} from '../../chat/chat.ts'
import { inDatabase } from '../../chat/sqlite-store.ts'
import { about, all, bytesOf, inFolder, state } from '../../contract.ts'

type Json = Record<string, unknown>

const fix = (store: string) =>
  all(examineStores([store], { systems: [openWebui], fix: true, backups: join(store, '..', '..', 'backups') }))

const schema = `
CREATE TABLE "chat" (id VARCHAR NOT NULL, user_id VARCHAR, title TEXT, chat JSON, created_at BIGINT, updated_at BIGINT, share_id TEXT,
 archived BOOLEAN, pinned BOOLEAN, meta JSON DEFAULT '{}', folder_id TEXT, PRIMARY KEY (id));
CREATE TABLE chat_message (id TEXT NOT NULL, chat_id TEXT NOT NULL, user_id TEXT, role TEXT NOT NULL, parent_id TEXT, content JSON, output JSON,
 model_id TEXT, done BOOLEAN, created_at BIGINT, updated_at BIGINT, PRIMARY KEY (id));`

/** One message for each of the user, and one with all output for the answers up to the next. */
function storedMessages(chat: readonly ChatMessage[]): Json[] {
  const messages: Json[] = []
  for (const { role, texts, calls, results } of chat) {
    const id = `m${messages.length}`
    const parentId = messages.length > 0 ? `m${messages.length - 1}` : null
    if (role === 'user') {
      messages.push({ id, parentId, role, content: texts.join('\n'), done: true })
      continue
    }
    const items = [
      ...results.map(({ id, text }) => ({
        ...{ type: 'function_call_output', call_id: id, status: 'completed' },
        output: [{ type: 'input_text', text }],
      })),
      ...texts.map(text => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })),
      ...calls.map(({ id, name, input }) => ({
        ...{ type: 'function_call', call_id: id, name, arguments: JSON.stringify(input), status: 'completed' },
      })),
    ]
    const last = messages.at(-1)
    if (last?.role === 'assistant') (last.output as Json[]).push(...items)
    else messages.push({ id, parentId, role: 'assistant', content: '', output: items, done: true })
  }
  return messages
}

/** What Open WebUI makes of its messages before it leaves out what has no pair: text after a call is text of its message. */
const sentMessages = (chat: readonly ChatMessage[]): ChatMessage[] =>
  storedMessages(chat).flatMap(({ role, output, content }): ChatMessage[] => {
    if (role === 'user') return [user(String(content))]
    const messages: { role: ChatMessage['role']; texts: string[]; calls: ChatCall[]; results: ChatResult[] }[] = []
    for (const { type, call_id, name } of output as Json[]) {
      const sent = type === 'function_call_output' ? 'tool' : 'assistant'
      if (messages.at(-1)?.role !== sent) messages.push({ role: sent, texts: [], calls: [], results: [] })
      const last = messages[messages.length - 1]
      if (type === 'function_call_output') last.results.push({ id: String(call_id), text: '' })
      else if (type === 'function_call') last.calls.push({ id: String(call_id), name: String(name), input: {} })
      else last.texts.push('text')
    }
    return messages
  })

interface ChatOptions {
  /** Without rows, as before 2026. */
  readonly isLegacy?: boolean
  /** The last answer is not done. */
  readonly isOpen?: boolean
}

function writeChat(folder: string, chat: readonly ChatMessage[], { isLegacy, isOpen }: ChatOptions = {}): string {
  const path = join(folder, 'webui.db')
  const messages = storedMessages(chat)
  const last = messages.at(-1) as Json
  if (isOpen) last.done = false
  // A branch that is not sent, which is broken.
  const aside = { id: 'aside', parentId: 'm0', role: 'assistant', content: '', output: [], done: true }
  const asks = { type: 'function_call', call_id: 'aside', name: 'x', arguments: '{}' }
  const history: { messages: Record<string, Json>; currentId: unknown } = {
    messages: Object.fromEntries([...messages, { ...aside, output: [asks] }].map(one => [one.id, one])),
    currentId: last.id,
  }
  inDatabase(path, database => {
    database.exec(schema)
    database
      .prepare(
        "insert into chat (id, user_id, title, chat, created_at, archived) values ('chat-1', 'u', 'Orders', ?, 1, 0)",
      )
      .run(JSON.stringify({ history }))
    if (isLegacy) return
    const add = database.prepare(
      "insert into chat_message (id, chat_id, role, parent_id, content, output, done) values (?, 'chat-1', ?, ?, ?, ?, ?)",
    )
    for (const { id, role, parentId, content, output, done } of Object.values(history.messages)) {
      const items = output === undefined ? null : JSON.stringify(output)
      add.run(`chat-1-${id}`, String(role), parentId as string, JSON.stringify(content), items, done ? 1 : 0)
    }
  })
  return path
}

const asks = (...ids: string[]): ChatMessage =>
  message('assistant', { calls: ids.map(id => ({ id, name: 'search', input: { q: id } })) })

const broken = [
  user('Find the orders.'),
  asks('a', 'b'),
  result('a', 'order 1042'),
  message('assistant', { texts: ['One order.'] }),
  user('And then?'),
]

test('[D675] Open WebUI: random healthy chats are healthy, broken ones are found, and no byte changes with --fix', async () => {
  let found = 0
  for (let seed = 1; seed <= 40; seed++)
    await inFolder(async folder => {
      const chat = seed % 2 === 0 ? generateChat(seed) : corruptChat(seed, generateChat(seed))
      const path = writeChat(folder, chat, { isLegacy: seed % 3 === 0 })
      const before = bytesOf(path)
      const states = (await fix(path)).map(state)
      const isBroken = pairingFaults(sentMessages(chat)).length > 0
      expect({ seed, states }).toEqual({ seed, states: [isBroken ? 'broken' : 'healthy'] })
      expect(bytesOf(path), `seed ${seed}`).toEqual(before)
      found += isBroken ? 1 : 0
    })
  expect(found).toBeGreaterThan(10)
})

test('[D676] Open WebUI: --fix of a broken chat says why it is not repaired and what to do', () =>
  inFolder(async folder => {
    const path = writeChat(folder, broken)
    const { code, stdout } = await antiphon(['doctor', '--fix', path])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^broken +open-webui .* chat-1 +"Orders"/)
    expect(stdout).toContain('call b of search has no result')
    expect(stdout).toContain('not repaired: Open WebUI stores each message twice')
    expect(stdout).not.toContain('would drop')
  }))

test('[D676] Open WebUI: a chat is extracted with its calls and results', () =>
  inFolder(async folder => {
    const { stdout } = await antiphon(['extract', '--json', writeChat(folder, broken)])
    const { messages } = JSON.parse(stdout) as { messages: Json[] }
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant', 'user'])
    expect(stdout).toContain('order 1042')
    expect(wordsIn(stdout)).toEqual([])
  }))

test('[D677] Open WebUI: the last calls of an answer that is not done are pending, and a chat without a history is unreadable', () =>
  inFolder(async folder => {
    const path = writeChat(folder, [user('Find the orders.'), asks('a')], { isOpen: true })
    inDatabase(path, database =>
      database.exec("insert into chat (id, title, chat, created_at) values ('empty', '', '{', 2)"),
    )
    const found = await fix(path)
    expect(found.map(state)).toEqual(['pending', 'unreadable'])
    expect(about(found[1])).toContain('it has no history')
  }))
