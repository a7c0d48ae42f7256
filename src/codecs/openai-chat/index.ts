import { isRecord } from '../../core/conversation.ts'
import type { Codec, Recognition } from '../codec.ts'
import { idsIn } from '../ids-in.ts'
import type { Replies } from '../reply.ts'
import { hasWords } from '../scan.ts'
import { fold, recognises } from './chunks.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { envelope } from './envelope.ts'
import { read } from './reply.ts'
import { ChatScan } from './scan.ts'
import { wire } from './wire.ts'

/** The messages of OpenAI Chat Completions, which most other providers and local servers speak too. */
export const openaiChat: Codec = {
  id: 'openai-chat',
  home: 'openai',
  wire,
  envelope,
  scan: facts => new ChatScan(facts),
  decode,
  encode,
  count: (_, from, to) => to - from,
  opensTurn: message => (message as Raw)?.role === 'user' && isWords((message as Raw).content),
  closesTurn: message =>
    isRecord(message) &&
    message.role === 'assistant' &&
    isWords(message.content) &&
    !message.tool_calls &&
    !message.tool_call_id,
  callIds: message => idsIn<{ id?: unknown }>(isRecord(message) && message.tool_calls, call => call?.id),
}

export const replies: Replies = { read, recognises, fold }

interface Raw {
  readonly role?: unknown
  readonly content?: unknown
}

const isWords = (content: unknown): boolean => typeof content === 'string' && hasWords(content)

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || typeof message.role !== 'string' || !roles.has(message.role) || 'parts' in message)
    return 'no'
  if (message.type !== undefined && message.type !== null && message.type !== 'message') return 'no'
  if (message.role === 'function' || 'function_call' in message || 'reasoning_content' in message) return 'yes'
  if ('tool_calls' in message || (message.role === 'tool' && 'tool_call_id' in message))
    return typeof message.id === 'string' ? 'likely' : 'yes'
  if (!Array.isArray(message.content)) return 'maybe'
  for (const block of message.content) {
    if (!isRecord(block) || typeof block.type !== 'string') continue
    if (block.type === 'image_url' || block.type === 'input_audio' || (block.type === 'file' && 'file' in block))
      return 'yes'
    if (block.type !== 'text' && block.type !== 'refusal') return 'no'
  }
  return 'maybe'
}
