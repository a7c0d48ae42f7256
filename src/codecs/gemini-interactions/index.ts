import { isRecord } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'
import { hasWords } from '../shared/scan.ts'
import { text } from '../shared/text.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { count, decode } from './decode.ts'
import { encode } from './encode.ts'
import { envelope } from './envelope.ts'
import { geminiInteractionsFormat } from './format.ts'
import { InteractionsScan } from './scan.ts'

/** The input steps of Gemini's Interactions API: a flat list of user input, model output, thoughts, calls and results. */
export const geminiInteractions: Codec = {
  id: 'gemini-interactions',
  home: 'gemini-interactions',
  acceptedBy: ['gemini-interactions', 'lenient'],
  format: geminiInteractionsFormat,
  envelope,
  scan: facts => new InteractionsScan(facts),
  decode: withUnreadFields(decode),
  encode,
  count,
  opensTurn: step => isRecord(step) && step.type === 'user_input' && isWords(step.content),
  closesTurn: step => isRecord(step) && step.type === 'model_output' && isWords(step.content),
  callIds: step =>
    isRecord(step) && step.type === 'function_call' && typeof step.id === 'string' && step.id !== '' ? [step.id] : [],
}

const isWords = (content: unknown): boolean =>
  Array.isArray(content) && content.length > 0 && content.every(block => hasWords(text(block?.text)))
