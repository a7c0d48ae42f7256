import { isRecord } from '../../core/conversation.ts'
import type { Codec } from '../codec.ts'
import { asSent, itemIdsIn } from '../shared/ai-sdk-packages.ts'
import { idsIn } from '../shared/ids-in.ts'
import { hasWords } from '../shared/scan.ts'
import { idText, text } from '../shared/text.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { aiSdkFormat } from './format.ts'
import { AiSdkScan } from './scan.ts'

/** The model messages of the Vercel AI SDK: content in parts, results in tool messages, approvals in both. */
export const aiSdk: Codec = {
  id: 'ai-sdk',
  home: 'lenient',
  format: aiSdkFormat,
  asSent,
  scan: facts => new AiSdkScan(facts),
  decode: withUnreadFields(decode),
  encode,
  count,
  opensTurn: message => isRecord(message) && message.role === 'user' && isWords(message.content),
  closesTurn: message => isRecord(message) && message.role === 'assistant' && isWords(message.content),
  callIds: message => idsIn(isRecord(message) && message.content, callId),
  itemIds: message => itemIdsIn(isRecord(message) && message.content, 'providerOptions'),
}

interface Part {
  readonly type?: unknown
  readonly toolCallId?: unknown
  readonly providerExecuted?: unknown
}

const callId = (part: Part | null | undefined): string | undefined =>
  part?.type === 'tool-call' && part.providerExecuted !== true ? idText(part.toolCallId) : undefined

const isWords = (content: unknown): boolean =>
  typeof content === 'string'
    ? hasWords(content)
    : Array.isArray(content) &&
      content.length > 0 &&
      content.every(part => part?.type === 'text' && hasWords(text(part.text)))

function count(history: readonly unknown[], from: number, to: number): number {
  let messages = 0
  for (let index = from; index < to; index++) {
    const message = history[index]
    const parts = isRecord(message) && message.role === 'tool' && Array.isArray(message.content) ? message.content : []
    messages += Math.max(1, parts.length)
  }
  return messages
}
