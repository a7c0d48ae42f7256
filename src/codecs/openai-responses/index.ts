import { isRecord } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'
import { hasWords } from '../shared/scan.ts'
import { text } from '../shared/text.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { byCallType } from './call-kinds.ts'
import { count, decode, isMessage } from './decode.ts'
import { encode } from './encode.ts'
import { envelope } from './envelope.ts'
import { openaiResponsesFormat } from './format.ts'
import { ResponsesScan } from './scan.ts'

/** The input items of the OpenAI Responses API: a flat list of messages, calls, results and reasoning. */
export const openaiResponses: Codec = {
  id: 'openai-responses',
  home: 'openai-responses',
  format: openaiResponsesFormat,
  envelope,
  scan: facts => new ResponsesScan(facts),
  decode: withUnreadFields(decode),
  encode,
  count,
  opensTurn: item => isRecord(item) && item.role === 'user' && isMessage(item) && isWords(item.content),
  closesTurn: item => isRecord(item) && item.role === 'assistant' && isMessage(item) && isWords(item.content),
  callIds: item =>
    isRecord(item) && typeof item.call_id === 'string' && byCallType.has(item.type) ? [item.call_id] : [],
  itemIds: item => (isRecord(item) && typeof item.id === 'string' && item.id !== '' ? [item.id] : []),
}

const isWords = (content: unknown): boolean =>
  typeof content === 'string'
    ? hasWords(content)
    : Array.isArray(content) && content.length > 0 && content.every(block => hasWords(text(block?.text)))
