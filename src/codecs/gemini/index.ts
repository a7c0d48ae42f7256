import { isRecord } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'
import { idsIn } from '../shared/ids-in.ts'
import { hasWords } from '../shared/scan.ts'
import { idText, text } from '../shared/text.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { count, decode, isCall, isResult } from './decode.ts'
import { encode } from './encode.ts'
import { envelope } from './envelope.ts'
import { geminiFormat } from './format.ts'
import { fieldValue, keys } from './keys.ts'
import { GeminiScan } from './scan.ts'

/** The contents of Gemini's generateContent: turns of user and model in parts, with or without call ids. */
export const gemini: Codec = {
  id: 'gemini',
  home: 'gemini',
  acceptedBy: ['gemini', 'vertex', 'lenient'],
  format: geminiFormat,
  envelope,
  scan: facts => new GeminiScan(facts),
  decode: withUnreadFields(decode, 'parts'),
  encode,
  count,
  opensTurn: message =>
    isRecord(message) && (message.role === 'user' || message.role === undefined) && isWords(message.parts),
  closesTurn: message => isRecord(message) && message.role === 'model' && isWords(message.parts),
  callIds: message => idsIn(isRecord(message) && message.parts, callId),
}

function callId(part: unknown): string | undefined {
  const call = isRecord(part) ? fieldValue(part, keys.call) : undefined
  return isRecord(call) ? idText(call.id) : undefined
}

const isWords = (parts: unknown): boolean =>
  Array.isArray(parts) &&
  parts.length > 0 &&
  parts.every(part => (typeof part === 'string' ? hasWords(part) : isPlainText(part)))

const isPlainText = (part: unknown): boolean =>
  isRecord(part) && hasWords(text(part.text)) && part.thought !== true && !isCall(part) && !isResult(part)
