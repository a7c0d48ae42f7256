import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { geminiCli } from '../../../../src/doctor/systems/gemini-cli/index.ts'
import { Random } from '../../../laws/random.ts'
import { type ChatMessage, corruptChat, generateChat, message, refusalsBy, wordsIn } from '../../chat/chat.ts'
import { filesIn } from '../../chat/samples.ts'
import type { Subject } from '../../contract.ts'

type Json = Record<string, unknown>

/** Chats that `/chat save` wrote: half of them as a list, as older versions do. */
export const savedChats: Subject = {
  system: geminiCli,
  tag: 'DD',
  healthy: (seed, folder) => random(folder, seed, generateChat(seed)),
  corrupted: (seed, folder) => random(folder, seed, corruptChat(seed, generateChat(seed))),
  refusals: folder => refusalsBy(() => readCheckpoint(folder)),
  words: folder => wordsIn(readFileSync(fileIn(folder), 'utf8')),
}

const fileIn = (folder: string): string => filesIn(folder, '.json')[0]

const random = (folder: string, seed: number, chat: readonly ChatMessage[]): string => {
  const history = contentsOf(chat)
  save(folder, new Random(seed ^ 0x5a).chance(0.5) ? history : { history, authType: 'oauth-personal' })
  return folder
}

/** Writes it as the program does, and returns its path. */
export function save(folder: string, checkpoint: unknown, tag = 'before%20lunch'): string {
  const project = join(folder, 'tmp', 'shop')
  mkdirSync(project, { recursive: true })
  const path = join(project, `checkpoint-${tag}.json`)
  writeFileSync(path, JSON.stringify(checkpoint, null, 2))
  return path
}

/** What one side says is one content; the results of a step are one of their own. */
export function contentsOf(chat: readonly ChatMessage[]): Json[] {
  const list: { role: string; parts: Json[] }[] = [
    { role: 'user', parts: [{ text: '<session_context>This is the context.</session_context>' }] },
  ]
  let last = ''
  for (const { role, texts, calls, results } of chat) {
    const parts: Json[] = [
      ...results.map(({ id, text }) => ({ functionResponse: { id, name: 'bash', response: { output: text } } })),
      ...texts.map(text => ({ text })),
      ...calls.map(({ id, name, input }) => ({
        functionCall: { id, name, args: input },
        thoughtSignature: 'c2lnbmF0dXJl',
      })),
    ]
    if (role === 'tool' && last === 'tool') list.at(-1)?.parts.push(...parts)
    else list.push({ role: role === 'assistant' ? 'model' : 'user', parts })
    last = role
  }
  return list
}

/** The chat as it is sent after `/chat resume`. */
export function readCheckpoint(folder: string): ChatMessage[] {
  const value = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Json[] | { history: Json[] }
  return (Array.isArray(value) ? value : value.history).map(content => {
    const parts = content.parts as Record<string, Json>[]
    return message(content.role === 'model' ? 'assistant' : 'user', {
      texts: parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
      calls: parts.flatMap(({ functionCall: call }) =>
        call ? [{ id: String(call.id), name: String(call.name), input: call.args }] : [],
      ),
      results: parts.flatMap(({ functionResponse: result }) =>
        result ? [{ id: String(result.id), text: JSON.stringify(result.response) }] : [],
      ),
    })
  })
}
