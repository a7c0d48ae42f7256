import { isRecord } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'
import { idsIn } from '../shared/ids-in.ts'
import { hasWords } from '../shared/scan.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { envelope } from './envelope.ts'
import { idOf } from './field-types.ts'
import { ollamaFormat } from './format.ts'
import { OllamaScan } from './scan.ts'

/** The messages of Ollama's own chat API: arguments are objects, and results name their tool. */
export const ollama: Codec = {
  id: 'ollama',
  home: 'ollama',
  acceptedBy: ['ollama', 'qwen-template', 'gemma-template', 'llama-template', 'mistral-template', 'lenient'],
  alsoReads: ['openai-chat'],
  format: ollamaFormat,
  envelope,
  scan: facts => new OllamaScan(facts),
  decode: withUnreadFields(decode),
  encode,
  count: (_, from, to) => to - from,
  opensTurn: message => isRecord(message) && message.role === 'user' && isWords(message.content),
  closesTurn: message =>
    isRecord(message) && message.role === 'assistant' && isWords(message.content) && !message.tool_calls,
  callIds: message =>
    idsIn(isRecord(message) && message.tool_calls, call => (isRecord(call) ? idOf(call.id) : undefined)),
}

const isWords = (content: unknown): boolean => typeof content === 'string' && hasWords(content)
