import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { langgraph } from '../../../../../src/doctor/systems/langgraph/index.ts'
import { Random } from '../../../../laws/random.ts'
import { type ChatMessage, corruptChat, generateChat, message, refusalsBy, wordsIn } from '../../../chat/chat.ts'
import { uuidBy } from '../../../chat/line-subject.ts'
import { filesIn } from '../../../chat/samples.ts'
import type { Subject } from '../../../contract.ts'
import { type Ext, pack, unpack } from './msgpack.ts'

type Json = Record<string, unknown>

/** Threads of LangGraph for Python. */
export const subject: Subject = {
  system: langgraph,
  tag: 'DG',
  healthy: (seed, folder) => written(folder, seed, generateChat(seed)),
  corrupted: (seed, folder) => written(folder, seed, corruptChat(seed, generateChat(seed))),
  refusals: path => refusalsBy(() => readThread(path)),
  words: path => wordsIn(JSON.stringify(readThread(path))),
}

const schema = readFileSync(
  fileURLToPath(new URL('samples/healthy/store/checkpoints.sqlite.sql', import.meta.url)),
  'utf8',
)
  .split(';\n')
  .filter(statement => statement.includes('CREATE TABLE'))
  .map(statement => `${statement.replace(/^BEGIN;/, '')};`)
  .join('\n')

function written(folder: string, seed: number, chat: readonly ChatMessage[]): string {
  const random = new Random(seed ^ 0x77)
  return store(folder, { messages: chat.flatMap(one => messageOf(random, one)) })
}

/** A store with one thread, whose newest checkpoint has these channels. */
export function store(folder: string, values: Json, more: Json = {}): string {
  const path = join(folder, 'checkpoints.sqlite')
  const database = new DatabaseSync(path)
  database.exec(schema)
  const add = database.prepare('insert into checkpoints values (?, ?, ?, ?, ?, ?, ?)')
  const ids = ['1f0a7b3c-1000-6a10-8000-4b1e6a2c9d10', '1f0a7b3c-1001-6a10-8001-4b1e6a2c9d10']
  for (const [index, id] of ids.entries()) {
    const checkpoint = {
      ...{ v: 4, ts: '2026-08-12T10:15:00.000000+00:00', id },
      channel_values: { ...values, score: 1.5, other: { ext: 0, content: ['a.b', 'C', 'x'] } },
      channel_versions: { messages: '00000000000000000000000000000005.0.5' },
      versions_seen: { __input__: {} },
      ...more,
    }
    add.run('thread-1', '', id, ids[index - 1] ?? null, 'msgpack', pack(checkpoint), Buffer.from('{"step":1}'))
  }
  database.close()
  return path
}

const extOf = (name: string, fields: Json): Ext => ({
  ext: 5,
  content: [
    `langchain_core.messages.${name.toLowerCase().replace('message', '')}`,
    name,
    fields,
    'model_validate_json',
  ],
})

/** A message as the classes write it. Each result is one. */
export function messageOf(random: Random, { role, texts, calls, results }: ChatMessage): Ext[] {
  const base = (content: string, type: string, name: string | null = null): Json => ({
    content,
    ...{ additional_kwargs: {}, response_metadata: {} },
    ...{ type, name, id: uuidBy(random) },
  })
  if (role === 'user') return [extOf('HumanMessage', base(texts.join('\n'), 'human'))]
  if (role === 'tool')
    return results.map(({ id, text }) =>
      extOf('ToolMessage', { ...base(text, 'tool', 'bash'), tool_call_id: id, artifact: null, status: 'success' }),
    )
  const tool_calls = calls.map(({ id, name, input }) => ({ name, args: input, id, type: 'tool_call' }))
  const usage = { usage_metadata: { input_tokens: 1_000, output_tokens: 7, total_tokens: 1_007 } }
  return [extOf('AIMessage', { ...base(texts.join('\n'), 'ai'), tool_calls, invalid_tool_calls: [], ...usage })]
}

/** The newest checkpoint. */
export function newest(path: string): Json {
  const database = new DatabaseSync(path)
  const row = database.prepare('select checkpoint from checkpoints order by checkpoint_id desc limit 1').get()
  database.close()
  return unpack(Buffer.from(row?.checkpoint as Uint8Array)) as Json
}

export function readThread(path: string): ChatMessage[] {
  const { messages } = newest(path.endsWith('.sqlite') ? path : join(path, 'checkpoints.sqlite')).channel_values as {
    messages: Ext[]
  }
  return chatOf(messages)
}

/** Messages of the classes as a chat. */
export function chatOf(messages: readonly Ext[]): ChatMessage[] {
  return messages.map(({ ext, content }) => {
    const [module, , fields, method] = content as [string, string, Json, string]
    if (ext !== 5 || method !== 'model_validate_json' || !module.startsWith('langchain_core.messages.'))
      throw new Error('it is not a message')
    const texts = fields.content === '' ? [] : [String(fields.content)]
    if (fields.type === 'human') return message('user', { texts })
    if (fields.type === 'tool')
      return message('tool', { results: [{ id: String(fields.tool_call_id), text: String(fields.content) }] })
    const calls = (fields.tool_calls as Json[]).map(({ id, name, args }) => ({
      id: String(id),
      name: String(name),
      input: args,
    }))
    return message('assistant', { texts, calls })
  })
}

/** Makes a database from the dump of a sample. */
export function load(folder: string): void {
  for (const sql of filesIn(folder, '.sql')) {
    const database = new DatabaseSync(join(folder, 'checkpoints.sqlite'))
    database.exec(readFileSync(sql, 'utf8'))
    database.close()
    rmSync(sql)
  }
}
