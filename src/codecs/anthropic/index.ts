import { isRecord } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'
import { blockCounter } from '../shared/blocks.ts'
import { idsIn } from '../shared/ids-in.ts'
import { hasWords } from '../shared/scan.ts'
import { text } from '../shared/text.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { anthropicFormat, decode } from './decode.ts'
import { encode } from './encode.ts'
import { envelope } from './envelope.ts'
import { AnthropicScan } from './scan.ts'

/** The messages of the Anthropic Messages API: content in blocks, results in user messages. */
export const anthropic: Codec = {
  id: 'anthropic',
  home: 'anthropic',
  format: anthropicFormat,
  envelope,
  scan: facts => new AnthropicScan(facts),
  decode: withUnreadFields(decode),
  encode,
  count: blockCounter(block => isRecord(block) && block.type === 'tool_result'),
  opensTurn: message => isRecord(message) && message.role === 'user' && isWords(message.content),
  closesTurn: message => isRecord(message) && message.role === 'assistant' && isWords(message.content),
  callIds: message => idsIn(isRecord(message) && message.content, callId),
}

const callId = (block: { type?: unknown; id?: unknown } | null | undefined): unknown =>
  block?.type === 'tool_use' ? block.id : undefined

const isWords = (content: unknown): boolean =>
  typeof content === 'string'
    ? hasWords(content)
    : Array.isArray(content) &&
      content.length > 0 &&
      content.every(block => block?.type === 'text' && hasWords(text(block.text)))
