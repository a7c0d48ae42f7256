import { isRecord } from '../../core/conversation.ts'
import type { Codec, Recognition } from '../codec.ts'
import type { Replies } from '../reply.ts'
import { hasWords } from '../scan.ts'
import { text } from '../text.ts'
import { fold, recognises } from './chunks.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { envelope } from './envelope.ts'
import { pieces } from './pieces.ts'
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
  pieces,
  recognise,
  scan: facts => new ResponsesScan(facts),
  decode,
  encode,
  count: (history, from, to) => decode(history, from, to).messages.length,
  opensTurn: item =>
    isRecord(item) && item.role === 'user' && typeof item.content === 'string' && hasWords(item.content),
  closesTurn: item =>
    isRecord(item) && item.role === 'assistant' && typeof item.content === 'string' && hasWords(item.content),
  callIds: item =>
    isRecord(item) && byCallType.has(item.type) && typeof item.call_id === 'string' ? [item.call_id] : [],
}

export const replies: Replies = { read, recognises, fold }

const types = new Set<unknown>([
  ...byCallType.keys(),
  ...byResultType.keys(),
  ...serverItems,
  ...keptItems,
  'reasoning',
  'item_reference',
])

function recognise(item: unknown): Recognition {
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
