import { type Fields, isRecord } from '../../core/conversation.ts'
import { finishOf } from '../shared/finish.ts'
import { type Reply, type ReplyMetadata, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'
import { type PartKind, type PartReader, splitSendable } from '../shared/split-sendable.ts'
import { text } from '../shared/text.ts'

/** Reads a message as the API returns it. One without a reason to stop is one that has just begun. */
export function read(response: unknown): Reply | undefined {
  if (!isRecord(response) || response.role !== 'assistant' || !Array.isArray(response.content)) return undefined
  if (response.type !== 'message' && !('stop_reason' in response)) return undefined
  return toReply(response.content, response.stop_reason ?? 'error', response)
}

/** The reply with these blocks, if it ended for this reason. */
export function toReply(content: readonly unknown[], reason: unknown, about: ReplyMetadata): Reply {
  const finish = finishOf(reason)
  const blocks = content.filter(isRecord).map(sendable)
  const { kept, left } = splitSendable(blocks, finish, readerOf(blocks))
  return replyOf(finish, messageOf(kept), messageOf(left), about)
}

const messageOf = (content: unknown[]): unknown[] => (content.length > 0 ? [{ role: 'assistant', content }] : [])

/** A provider-run call is incomplete as long as its result is missing. */
function readerOf(blocks: readonly Fields[]): PartReader {
  const answered = new Set(blocks.map(block => block.tool_use_id).filter(id => id !== undefined))
  return {
    kindOf: (block, isLast) => partKind(block as Fields, isLast, answered),
    bare: block => ({ type: 'text', text: (block as Fields).text }),
  }
}

function partKind(block: Fields, isLast: boolean, answered: ReadonlySet<unknown>): PartKind {
  switch (block.type) {
    case 'text':
      return hasWords(text(block.text)) ? 'text' : 'blank'
    case 'thinking':
    case 'redacted_thinking':
      return 'reasoning'
    case 'tool_use':
      return isWhole(block.input, isLast) ? 'call' : 'incomplete-call'
  }
  return text(block.type).endsWith('_tool_use') && !answered.has(block.id) ? 'incomplete-call' : 'other'
}

/** The arguments of a call that was cut off are shown as none, so at the end of a reply none are not to be trusted. */
const isWhole = (input: unknown, isLast: boolean): boolean =>
  isRecord(input) && !(isLast && Object.keys(input).length === 0)

/** A citation has a null file id, which requests do not accept. */
function sendable(block: Fields): Fields {
  if (block.type !== 'text' || !Array.isArray(block.citations) || !block.citations.some(isFileless)) return block
  return {
    ...block,
    citations: block.citations.map(citation => (isFileless(citation) ? withoutFile(citation) : citation)),
  }
}

const isFileless = (citation: unknown): citation is Fields => isRecord(citation) && citation.file_id === null

const withoutFile = ({ file_id: _, ...citation }: Fields): Fields => citation
