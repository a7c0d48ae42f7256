import { isRecord } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'
import { idsIn } from '../shared/ids-in.ts'
import { hasWords } from '../shared/scan.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { envelope } from './envelope.ts'
import { openaiChatFormat } from './format.ts'
import { ChatScan } from './scan.ts'

/** The messages of OpenAI Chat Completions, which most other providers and local servers use too. */
export const openaiChat: Codec = {
  id: 'openai-chat',
  home: 'openai',
  format: openaiChatFormat,
  envelope,
  scan: facts => new ChatScan(facts),
  decode: withUnreadFields(decode),
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

interface Raw {
  readonly role?: unknown
  readonly content?: unknown
}

const isWords = (content: unknown): boolean => typeof content === 'string' && hasWords(content)
