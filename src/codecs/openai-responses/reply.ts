import { type Fields, isRecord } from '../../core/conversation.ts'
import { isJsonObject } from '../../core/json/is-json-object.ts'
import { finishOf } from '../shared/finish.ts'
import { type Finish, type Reply, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'
import { type PartKind, type PartReader, type SplitParts, splitSendable } from '../shared/split-sendable.ts'
import { byCallType } from './call-kinds.ts'
import { isServerSearch } from './decode.ts'

/** Reads a response: the items of its output are input items as they are. */
export function read(response: unknown): Reply | undefined {
  if (!isRecord(response) || !Array.isArray(response.output) || !isResponse(response)) return undefined
  return toReply(response.output, finishIn(response), response)
}

const isResponse = ({ object, status, id }: Fields): boolean =>
  object === 'response' || (typeof status === 'string' && typeof id === 'string')

/** Why a response ended, except for a refusal inside its text. */
export function finishIn({ status, incomplete_details: details }: Fields): Finish {
  if (status === 'incomplete')
    return finishOf(isRecord(details) ? details.reason : undefined) === 'refusal' ? 'refusal' : 'length'
  return status === undefined || status === null || status === 'completed' ? 'stop' : 'cut'
}

/** The reply with these items, if it ended so. */
export function toReply(output: readonly unknown[], end: Finish, about: Fields): Reply {
  const items = output.filter(isRecord).map(sendable)
  const finish = end === 'stop' && items.some(refuses) ? 'refusal' : end
  const { kept, left }: SplitParts = splitSendable(items, finish, reader)
  return replyOf(finish, kept, left, about)
}

const reader: PartReader = {
  kindOf: (item, isLast) => partKind(item as Fields, isLast),
  bare: item => bare(item as Fields),
}

function partKind(item: Fields, isLast: boolean): PartKind {
  if (item.type === 'reasoning') return 'reasoning'
  if (item.type === 'message') return wordsOf(item).some(block => hasWords(textOf(block))) ? 'text' : 'blank'
  const kind = byCallType.get(item.type)
  if (!kind || isServerSearch(item)) return 'other'
  if (kind.callKind === 'function')
    return typeof item.arguments === 'string' && isJsonObject(item.arguments) ? 'call' : 'incomplete-call'
  const isOpen = typeof item.status === 'string' ? item.status !== 'completed' : isLast
  return isOpen ? 'incomplete-call' : 'call'
}

/** The blocks of a message that have text: texts and refusals. */
const wordsOf = ({ content }: Fields): Fields[] =>
  Array.isArray(content) ? content.filter(block => isRecord(block) && textOf(block) !== '') : []

export const textOf = ({ text, refusal }: Fields): string =>
  typeof text === 'string' ? text : typeof refusal === 'string' ? refusal : ''

/** The provider looks up an item by its id, and rejects it without the reasoning that belongs to it. */
const bare = (item: Fields): Fields => ({
  type: 'message',
  role: 'assistant',
  ...(typeof item.phase === 'string' ? { phase: item.phase } : {}),
  content: wordsOf(item).map(block =>
    block.type === 'refusal'
      ? { type: 'refusal', refusal: block.refusal }
      : { type: 'output_text', text: block.text, annotations: [] },
  ),
})

const refuses = (item: Fields): boolean =>
  item.type === 'message' && wordsOf(item).some(block => block.type === 'refusal')

/** An item without the fields that a client parsed, which requests do not accept. */
function sendable(item: Fields): Fields {
  if ('parsed_arguments' in item) {
    const { parsed_arguments: _, ...rest } = item
    return rest
  }
  if (item.type !== 'message' || !Array.isArray(item.content) || !item.content.some(isParsed)) return item
  return { ...item, content: item.content.map(block => (isParsed(block) ? withoutParsed(block) : block)) }
}

const isParsed = (block: unknown): block is Fields => isRecord(block) && 'parsed' in block

const withoutParsed = ({ parsed: _, ...block }: Fields): Fields => block
