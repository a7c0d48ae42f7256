import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clineSessions } from '../../../../src/doctor/systems/cline-sessions/index.ts'
import { type ChatMessage, corruptChat, generateChat, message, refusalsBy, wordsIn } from '../../chat/chat.ts'
import { filesIn } from '../../chat/samples.ts'
import type { Subject } from '../../contract.ts'

type Json = Record<string, unknown>

export const subject: Subject = {
  system: clineSessions,
  tag: 'DE',
  healthy: (seed, folder) => written(folder, messagesOf(generateChat(seed))),
  corrupted: (seed, folder) => written(folder, messagesOf(corruptChat(seed, generateChat(seed)))),
  refusals: folder => refusalsBy(() => readSession(folder)),
  words: folder => wordsIn(readFileSync(fileIn(folder), 'utf8')),
}

export const session = '1795062128144_k0kfy'

export const fileIn = (folder: string): string => filesIn(folder, '.messages.json')[0]

/** The files of a session as Cline 3.0.65 writes them, without its prompt. */
export function written(folder: string, messages: readonly Json[]): string {
  const own = join(folder, session)
  mkdirSync(own, { recursive: true })
  const head = { version: 1, updated_at: '2026-11-19T04:22:08.700Z', agent: 'lead', sessionId: session }
  const origin = { source: 'cli', mode: 'user', sessionId: session, version: '3.0.65' }
  const json = (value: Json): string => `${JSON.stringify(value, undefined, 2)}\n`
  writeFileSync(
    join(own, `${session}.messages.json`),
    json({ ...head, origin, messages, system_prompt: 'You are Cline.' }),
  )
  return folder
}

/** Each result is a message of the user, and may be text, blocks or anything. */
export const messagesOf = (chat: readonly ChatMessage[]): Json[] =>
  chat.map(({ role, texts, calls, results }, index) => ({
    id: `msg_${index}`,
    role: role === 'assistant' ? 'assistant' : 'user',
    content: [
      ...results.map(({ id, text }) => ({
        ...{ type: 'tool_result', tool_use_id: id, name: 'bash' },
        content: [text, [{ type: 'text', text }], [{ query: 'it', result: text, success: true }]][index % 3],
      })),
      ...texts.map(text => ({
        type: 'text',
        text: role === 'user' ? `<user_input mode="act">${text}</user_input>` : text,
      })),
      ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ],
    ts: 1_795_062_128_000 + index,
    ...(role === 'assistant' && { modelInfo: { id: 'claude-sonnet-4-5', provider: 'anthropic' } }),
  }))

/** What Cline sends of a session, before it adds the results that are missing. */
export function readSession(folder: string): ChatMessage[] {
  const { messages } = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as { messages: Json[] }
  const ids = messages.map(({ id }) => id)
  if (new Set(ids).size !== ids.length) throw new Error(`two messages have the same id: ${ids}`)
  return messages.map(({ role, content }) => {
    const blocks = content as Json[]
    const results = blocks.flatMap(({ type, tool_use_id: id, content }) =>
      type === 'tool_result'
        ? [{ id: String(id), text: typeof content === 'string' ? content : JSON.stringify(content) }]
        : [],
    )
    return message(results.length > 0 && results.length === blocks.length ? 'tool' : (role as 'user' | 'assistant'), {
      texts: blocks.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])),
      calls: blocks.flatMap(({ type, id, name, input }) =>
        type === 'tool_use' ? [{ id: String(id), name: String(name), input }] : [],
      ),
      results,
    })
  })
}
