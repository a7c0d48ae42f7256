import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { zed } from '../../../../src/doctor/systems/zed/index.ts'
import { Random } from '../../../laws/random.ts'
import {
  type ChatCall,
  type ChatMessage,
  type ChatResult,
  corruptChat,
  generateChat,
  message,
  refusalsBy,
  user,
  wordsIn,
} from '../../chat/chat.ts'
import { uuidBy } from '../../chat/line-subject.ts'
import { filesIn } from '../../chat/samples.ts'
import { inDatabase, schemaOf } from '../../chat/sqlite-store.ts'
import type { Subject } from '../../contract.ts'

type Json = Record<string, unknown>

export interface Agent {
  readonly content: readonly Json[]
  readonly tool_results: Readonly<Record<string, Json>>
}

export const subject: Subject = {
  system: zed,
  tag: 'D',
  healthy: (seed, folder) => writeThreads(folder, [generateChat(seed), generateChat(seed + 1)].map(elementsOf), seed),
  corrupted: (seed, folder) =>
    writeThreads(folder, [elementsOf(corruptChat(seed, generateChat(seed))), elementsOf(generateChat(seed + 1))], seed),
  refusals: path => threadIds(path).flatMap(id => refusalsBy(() => sentMessages(path, id))),
  words: path => wordsIn(threadTexts(path).join('\n')),
}

const result = ({ id, text, isError = false }: ChatResult): Json => ({
  ...{ tool_use_id: id, tool_name: 'terminal', is_error: isError },
  ...{ content: [{ Text: text }], output: null },
})

const call = ({ id, name, input }: ChatCall): Json => ({
  ToolUse: {
    ...{ id, name, raw_input: JSON.stringify(input), input },
    is_input_complete: true,
    thought_signature: null,
  },
})

/** The elements of a conversation: results are in the agent's message before them, whether that has their calls or not. */
export function elementsOf(chat: readonly ChatMessage[]): unknown[] {
  const elements: unknown[] = []
  let agent: { content: Json[]; tool_results: Record<string, Json> } | undefined
  for (const [index, { role, texts, calls, results }] of chat.entries()) {
    if (role === 'user') {
      elements.push({ User: { id: `user-${index}`, content: texts.map(text => ({ Text: text })) } })
      agent = undefined
      continue
    }
    if (role === 'assistant' || !agent) {
      agent = { content: [...texts.map(text => ({ Text: text })), ...calls.map(call)], tool_results: {} }
      elements.push({ Agent: { ...agent, reasoning_details: null } })
    }
    for (const one of results) agent.tool_results[one.id] ??= result(one)
  }
  return elements
}

/** Threads of one user: some compressed, as now, others as JSON. */
export function writeThreads(folder: string, threads: readonly (readonly unknown[])[], seed = 1): string {
  const path = join(folder, 'threads.db')
  const random = new Random(seed ^ 0x2ed)
  inDatabase(path, database => {
    database.exec(schemaOf('zed', 'threads.sql'))
    for (const [index, messages] of threads.entries())
      addThread(database, { id: uuidBy(random), messages, title: `Thread ${index}`, isPacked: random.chance(0.7) })
    if (random.chance(0.3)) database.exec('pragma journal_mode = wal')
  })
  return path
}

export interface NewThread {
  readonly id: string
  readonly messages: readonly unknown[]
  readonly title?: string
  readonly version?: string
  readonly isPacked?: boolean
}

export function addThread(
  database: DatabaseSync,
  { id, messages, title = 'Thread', version = '0.3.0', isPacked = true }: NewThread,
): void {
  const updated_at = '2026-08-12T09:00:00.123456Z'
  const text = JSON.stringify({
    ...{ title, messages, updated_at, detailed_summary: null, initial_project_snapshot: null },
    ...{ cumulative_token_usage: { input_tokens: 1200, output_tokens: 80 }, request_token_usage: {} },
    ...{ model: { provider: 'anthropic', model: 'claude-sonnet-4-6' }, profile: 'write', imported: false },
    ...{ ui_scroll_position: { item_ix: 1, offset_in_item: 0.5 }, version },
  }).replace('"offset_in_item":0.5', '"offset_in_item":0.0')
  const data = isPacked ? zstdCompressSync(Buffer.from(text)) : Buffer.from(text)
  database
    .prepare('insert into threads (id, summary, updated_at, data_type, data, created_at) values (?, ?, ?, ?, ?, ?)')
    .run(id, title, updated_at, isPacked ? 'zstd' : 'json', data, updated_at)
}

export const fileIn = (folder: string): string => (folder.endsWith('.db') ? folder : filesIn(folder, '.db')[0])

const threadIds = (path: string): string[] =>
  inDatabase(fileIn(path), database =>
    database
      .prepare('select id from threads order by rowid')
      .all()
      .map(({ id }) => String(id)),
  )

/** The JSON text of each thread. */
export const threadTexts = (path: string): string[] =>
  inDatabase(fileIn(path), database =>
    database
      .prepare('select data_type, cast(data as blob) as data from threads order by rowid')
      .all()
      .map(({ data_type: type, data }) =>
        (type === 'zstd' ? zstdDecompressSync(data as Uint8Array) : Buffer.from(data as Uint8Array)).toString(),
      ),
  )

/** What Zed sends: a call only if its message has its result, and every result of the message. */
export function sentMessages(path: string, id = threadIds(path)[0]): ChatMessage[] {
  const text = threadTexts(path)[threadIds(path).indexOf(id)]
  const { messages, version } = JSON.parse(text) as { messages: (Json | string)[]; version: string }
  if (version !== '0.3.0') throw new Error('another version')
  return messages.flatMap((element): ChatMessage[] => {
    if (typeof element === 'string') return [user('Continue where you left off')]
    if ('Compaction' in element) return [user(String((element.Compaction as Json).Summary))]
    if ('User' in element)
      return [message('user', { texts: (element.User as Agent).content.map(block => String(block.Text)) })]
    const { content, tool_results: results } = element.Agent as Agent
    const calls = content.flatMap(({ ToolUse: one }) => (one ? [one as Json] : []))
    const asked = calls.filter(({ id }) => String(id) in results)
    const texts = content.flatMap(({ Text: text }) => (typeof text === 'string' ? [text] : []))
    const answers = Object.values(results).map(one => ({ id: String(one.tool_use_id), text: textOf(one.content) }))
    return [
      ...(texts.length > 0 || asked.length > 0
        ? [
            message('assistant', {
              texts,
              calls: asked.map(({ id, name, input }) => ({ id: String(id), name: String(name), input })),
            }),
          ]
        : []),
      ...(answers.length > 0 ? [message('tool', { results: answers })] : []),
    ]
  })
}

const textOf = (content: unknown): string =>
  [content]
    .flat()
    .map(item => (typeof item === 'string' ? item : String((item as Json).Text)))
    .join('\n')
