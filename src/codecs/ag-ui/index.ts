import { isRecord } from '../../core/conversation.ts'
import type { Codec, Recognition } from '../codec.ts'
import { idsIn } from '../ids-in.ts'
import type { Replies } from '../reply.ts'
import { hasWords } from '../scan.ts'
import { fold, recognises } from './chunks.ts'
import { decode, isAside } from './decode.ts'
import { encode } from './encode.ts'
import { read } from './reply.ts'
import { AgUiScan } from './scan.ts'
import { nameIn } from './spelling.ts'
import { wire } from './wire.ts'

/** The messages of the AG-UI protocol, between agents and the applications that show them. */
export const agUi: Codec = {
  id: 'ag-ui',
  home: 'lenient',
  wire,
  scan: facts => new AgUiScan(facts),
  decode,
  encode,
  count(history, from, to) {
    let count = 0
    for (let index = from; index < to; index++) if (!isAside(history[index])) count++
    return count
  },
  isAside,
  opensTurn: message => isRecord(message) && message.role === 'user' && isWords(message.content),
  closesTurn: message =>
    isRecord(message) &&
    message.role === 'assistant' &&
    isWords(message.content) &&
    nameIn(message, 'calls') === undefined,
  callIds(message) {
    const calls = isRecord(message) ? message[nameIn(message, 'calls') ?? ''] : undefined
    return idsIn<{ id?: unknown }>(calls, call => call?.id)
  },
}

export const replies: Replies = { read, recognises, fold }

const isWords = (content: unknown): boolean => typeof content === 'string' && hasWords(content)

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'activity', 'reasoning'])

/** Every message has an id, which sets those that are spelled as in Python apart from plain chat. */
export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || typeof message.role !== 'string' || !roles.has(message.role)) return 'no'
  if ('parts' in message || 'toolInvocations' in message || (message.type !== undefined && message.type !== null))
    return 'no'
  if ('toolCalls' in message || 'toolCallId' in message) return 'yes'
  if (typeof message.id !== 'string' || chatOnly.some(field => field in message)) return 'no'
  if (isAside(message)) return 'yes'
  for (const block of Array.isArray(message.content) ? message.content : []) {
    if (!isRecord(block) || typeof block.type !== 'string') continue
    if (block.type === 'binary' || (isRecord(block.source) && 'value' in block.source)) return 'yes'
    if (block.type !== 'text') return 'no'
  }
  return message.role === 'assistant' && !('tool_calls' in message) ? 'maybe' : 'likely'
}

const chatOnly = ['reasoning_content', 'function_call', 'refusal', 'annotations', 'audio']
