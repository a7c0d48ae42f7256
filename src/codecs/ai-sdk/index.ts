import { isRecord } from '../../core/conversation.ts'
import { asSent } from '../ai-sdk-packages.ts'
import type { Codec, Recognition } from '../codec.ts'
import { idsIn } from '../ids-in.ts'
import type { Replies } from '../reply.ts'
import { hasWords } from '../scan.ts'
import { idText, text } from '../text.ts'
import { fold, recognises } from './chunks.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { read } from './reply.ts'
import { AiSdkScan } from './scan.ts'
import { wire } from './wire.ts'

/** The model messages of the Vercel AI SDK: content in parts, results in tool messages, approvals beside both. */
export const aiSdk: Codec = {
  id: 'ai-sdk',
  home: 'lenient',
  wire,
  asSent,
  scan: facts => new AiSdkScan(facts),
  decode,
  encode,
  count,
  opensTurn: message => isRecord(message) && message.role === 'user' && isWords(message.content),
  closesTurn: message => isRecord(message) && message.role === 'assistant' && isWords(message.content),
  callIds: message => idsIn(isRecord(message) && message.content, callId),
}

export const replies: Replies = { read, recognises, fold }

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

/** Keys of messages in other shapes that have the same roles. */
const foreign = ['parts', 'tool_calls', 'tool_call_id', 'toolCalls', 'toolCallId', 'stop_reason', 'additional_kwargs']

const ownParts = new Set<unknown>(['tool-call', 'tool-result', 'tool-approval-request', 'tool-approval-response'])

export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || message.type !== undefined || foreign.some(key => key in message)) return 'no'
  const { role, content } = message
  if (role !== 'system' && role !== 'user' && role !== 'assistant' && role !== 'tool') return 'no'
  if ('providerOptions' in message || 'experimental_providerMetadata' in message) return 'yes'
  if (!Array.isArray(content)) return role === 'tool' ? 'no' : 'maybe'
  if (content.some(part => ownParts.has(part?.type))) return 'yes'
  let verdict: Recognition = 'maybe'
  for (const part of content) {
    if (!isRecord(part) || typeof part.type !== 'string') return 'no'
    if ('providerOptions' in part) return 'yes'
    if (part.type === 'image' ? 'image' in part : part.type === 'file' && 'data' in part) return 'yes'
    if (part.type === 'reasoning' && typeof part.text === 'string') verdict = 'likely'
    else if (part.type !== 'text') return 'no'
  }
  return verdict
}
