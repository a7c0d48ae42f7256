import { isRecord } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'
import { blockCounter } from '../shared/blocks.ts'
import { idsIn } from '../shared/ids-in.ts'
import { hasWords } from '../shared/scan.ts'
import { text } from '../shared/text.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { decode, isClientResult } from './decode.ts'
import { encode } from './encode.ts'
import { envelope } from './envelope.ts'
import { bedrockFormat } from './format.ts'
import { isMark } from './marks.ts'
import { BedrockScan } from './scan.ts'

/** The messages of Amazon Bedrock's Converse API: content in blocks that are named by their one member. */
export const bedrock: Codec = {
  id: 'bedrock',
  home: 'bedrock',
  acceptedBy: ['bedrock', 'anthropic', 'mistral', 'llama-template', 'cohere', 'lenient'],
  format: bedrockFormat,
  envelope,
  scan: facts => new BedrockScan(facts),
  decode: withUnreadFields(decode),
  encode,
  count: blockCounter(isClientResult, isMark),
  opensTurn: message => isRecord(message) && message.role === 'user' && isWords(message.content),
  closesTurn: message => isRecord(message) && message.role === 'assistant' && isWords(message.content),
  callIds: message => idsIn(isRecord(message) && message.content, callId),
}

const callId = (block: { toolUse?: { toolUseId?: unknown } | null } | null | undefined): unknown =>
  block?.toolUse?.toolUseId

const isWords = (content: unknown): boolean =>
  typeof content === 'string'
    ? hasWords(content)
    : Array.isArray(content) &&
      content.length > 0 &&
      content.every(block => hasWords(text(block?.text)) && isPlain(block))

const isPlain = (block: object): boolean => !('toolUse' in block || 'toolResult' in block)
