import { isRecord } from '../../core/conversation.ts'
import type { Codec, Recognition } from '../codec.ts'
import type { Replies } from '../reply.ts'
import { hasWords } from '../scan.ts'
import { text } from '../text.ts'
import { fold, recognises } from './chunks.ts'
import { count, decode, isMessage } from './decode.ts'
import { encode } from './encode.ts'
import { envelope } from './envelope.ts'
import { read } from './reply.ts'
import { ResponsesScan } from './scan.ts'
import { byCallType, byResultType, keptItems, serverItems } from './sorts.ts'
import { wire } from './wire.ts'

/** The input items of the OpenAI Responses API: a flat list of messages, calls, results and reasoning. */
export const openaiResponses: Codec = {
  id: 'openai-responses',
  home: 'openai-responses',
  wire,
  envelope,
  scan: facts => new ResponsesScan(facts),
  decode,
  encode,
  count,
  opensTurn: item => isRecord(item) && item.role === 'user' && isMessage(item) && isWords(item.content),
  closesTurn: item => isRecord(item) && item.role === 'assistant' && isMessage(item) && isWords(item.content),
  callIds: item =>
    isRecord(item) && typeof item.call_id === 'string' && byCallType.has(item.type) ? [item.call_id] : [],
  itemId: item => (isRecord(item) && typeof item.id === 'string' && item.id !== '' ? item.id : undefined),
}

export const replies: Replies = { read, recognises, fold }

const isWords = (content: unknown): boolean =>
  typeof content === 'string'
    ? hasWords(content)
    : Array.isArray(content) && content.length > 0 && content.every(block => hasWords(text(block?.text)))

const types = new Set<unknown>([
  ...byCallType.keys(),
  ...byResultType.keys(),
  ...serverItems,
  ...keptItems,
  'reasoning',
  'item_reference',
])

export function recognise(item: unknown): Recognition {
  if (!isRecord(item) || 'parts' in item || 'tool_calls' in item || 'tool_call_id' in item || 'stop_reason' in item)
    return 'no'
  if (types.has(item.type)) return 'yes'
  const isTyped = item.type === 'message'
  if ((item.type !== undefined && !isTyped) || typeof item.role !== 'string' || item.role === 'tool') return 'no'
  for (const block of Array.isArray(item.content) ? item.content : []) {
    const type = isRecord(block) ? text(block.type) : ''
    if (/^(in|out)put_(text|image|file|audio)$/.test(type)) return 'yes'
    if (type !== '' && type !== 'text' && type !== 'refusal') return 'no'
  }
  return isTyped ? 'likely' : 'maybe'
}
