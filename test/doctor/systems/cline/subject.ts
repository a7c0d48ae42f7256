import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cline } from '../../../../src/doctor/systems/cline/index.ts'
import { type ChatMessage, corruptChat, generateChat, message, refusalsBy, wordsIn } from '../../chat/chat.ts'
import { filesIn } from '../../chat/samples.ts'
import type { Subject } from '../../contract.ts'

type Json = Record<string, unknown>

export const subject: Subject = {
  system: cline,
  tag: 'DD',
  healthy: (seed, folder) => written(folder, taskOf(generateChat(seed))),
  corrupted: (seed, folder) => written(folder, taskOf(corruptChat(seed, generateChat(seed)))),
  refusals: folder => refusalsBy(() => readTask(folder)),
  words: folder => wordsIn(readFileSync(fileIn(folder), 'utf8')),
}

const fileIn = (folder: string): string => filesIn(folder, 'api_conversation_history.json')[0]

export function written(folder: string, messages: readonly Json[]): string {
  const task = join(folder, 'tasks', '1786529700000')
  mkdirSync(task, { recursive: true })
  writeFileSync(join(task, 'api_conversation_history.json'), JSON.stringify(messages))
  return folder
}

/** Messages of the Anthropic API with times; what the user and the tools say is one message. */
function taskOf(chat: readonly ChatMessage[]): Json[] {
  const list: { role: string; content: Json[]; ts: number }[] = []
  for (const { role, texts, calls, results } of chat) {
    const content: Json[] = [
      ...results.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })),
      ...texts.map(text => ({ type: 'text', text })),
      ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ]
    const last = list.at(-1)
    const speaker = role === 'assistant' ? 'assistant' : 'user'
    if (last?.role === speaker) last.content.push(...content)
    else list.push({ role: speaker, content, ts: 1_786_529_700_000 + list.length })
  }
  return list
}

export const readTask = (folder: string): ChatMessage[] =>
  (JSON.parse(readFileSync(fileIn(folder), 'utf8')) as { role: 'user' | 'assistant'; content: string | Json[] }[]).map(
    ({ role, content }) => {
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as Json] : content
      return message(role, {
        texts: blocks.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])),
        calls: blocks.flatMap(({ type, id, name, input }) =>
          type === 'tool_use' ? [{ id: String(id), name: String(name), input }] : [],
        ),
        results: blocks.flatMap(({ type, tool_use_id: id, content }) =>
          type === 'tool_result'
            ? [{ id: String(id), text: typeof content === 'string' ? content : JSON.stringify(content) }]
            : [],
        ),
      })
    },
  )
