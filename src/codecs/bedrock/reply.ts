import { type Fields, isRecord } from '../../core/conversation.ts'
import { textsOf } from '../shared/envelope.ts'
import { finishOf, isMalformed } from '../shared/finish.ts'
import { type Reply, type ReplyMetadata, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'
import { type PartKind, type PartReader, splitSendable } from '../shared/split-sendable.ts'
import { text } from '../shared/text.ts'

/** Reads the answer of Converse. The response has no id but that of its request. */
export function read(response: unknown): Reply | undefined {
  if (!isRecord(response) || !isRecord(response.output) || !isRecord(response.output.message)) return undefined
  const { content } = response.output.message
  if (!Array.isArray(content)) return undefined
  return toReply(content, response.stopReason, { id: requestId(response), usage: response.usage })
}

export const requestId = ({ $metadata: metadata }: Fields): unknown =>
  isRecord(metadata) ? metadata.requestId : undefined

/** The reply with these blocks, if it ended for this reason. */
export function toReply(content: readonly unknown[], reason: unknown, about: ReplyMetadata): Reply {
  const finish = finishOf(reason)
  const blocks = content.filter(isRecord)
  const { kept, left } = splitSendable(blocks, finish, readerOf(blocks), isMalformed(reason))
  return replyOf(finish, messageOf(kept), messageOf(left), about)
}

const messageOf = (content: unknown[]): unknown[] => (content.length > 0 ? [{ role: 'assistant', content }] : [])

/** A provider-run call is incomplete as long as its result is missing. */
function readerOf(blocks: readonly Fields[]): PartReader {
  const answered = new Set(blocks.flatMap(({ toolResult }) => (isRecord(toolResult) ? [toolResult.toolUseId] : [])))
  return {
    kindOf: (block, isLast) => partKind(block as Fields, isLast, answered),
    bare: block => ({ text: wordsOf(block as Fields) }),
  }
}

function partKind(block: Fields, isLast: boolean, answered: ReadonlySet<unknown>): PartKind {
  const { toolUse, text: words, citationsContent, reasoningContent } = block
  if (isRecord(toolUse)) {
    if (toolUse.type === 'server_tool_use') return answered.has(toolUse.toolUseId) ? 'other' : 'incomplete-call'
    return isWhole(toolUse.input, isLast) ? 'call' : 'incomplete-call'
  }
  if (isRecord(reasoningContent)) return 'reasoning'
  if (typeof words === 'string' || isRecord(citationsContent)) return hasWords(wordsOf(block)) ? 'text' : 'blank'
  return 'other'
}

/** The text of a block, also of one with citations. */
const wordsOf = ({ text: words, citationsContent }: Fields): string =>
  isRecord(citationsContent) ? textsOf(citationsContent.content).join('') : text(words)

/** The arguments of a call that was cut off can be shown as none, so at the end of a reply none are not to be trusted. */
const isWhole = (input: unknown, isLast: boolean): boolean =>
  isRecord(input) && !(isLast && Object.keys(input).length === 0)
