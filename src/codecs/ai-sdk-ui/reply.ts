import { type Fields, isRecord } from '../../core/conversation.ts'
import { mayEndInCall } from '../shared/finish.ts'
import { type Finish, type Reply, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'
import { text } from '../shared/text.ts'
import { isStepStart } from './decode.ts'
import { inputOf, isSettled, isStreaming, isToolPart } from './tool-part.ts'

/** Reads a message of the assistant. One that shows a part as still coming was cut. */
export function read(response: unknown): Reply | undefined {
  if (!isRecord(response) || response.role !== 'assistant' || !Array.isArray(response.parts)) return undefined
  const parts = response.parts.filter(isRecord)
  if (parts.length !== response.parts.length || parts.some(({ type }) => typeof type !== 'string')) return undefined
  const isCut = parts.some(part => part.state === 'streaming' || part.state === 'input-streaming')
  return toReply(response, isCut ? 'cut' : 'stop', Math.max(parts.findLastIndex(isStepStart), 0))
}

/**
 * The reply of a message with this finish reason. `done` is the number of parts in completed steps: of a cut message those
 * stay with the answered calls, since they have run. Of the cut step, text stays, and what is shown but never sent.
 */
export function toReply(message: Fields, finish: Finish, done: number): Reply {
  const kept: Fields[] = []
  const left: Fields[] = []
  for (const [index, part] of (message.parts as Fields[]).entries()) {
    const isOpen = finish === 'cut' && index >= done
    const stays = isOpen ? isShown(part) : !isToolPart(part) || !isGone(part, finish)
    if (stays) kept.push(isOpen ? bare(part) : part)
    else if (!isBlank(part)) left.push(part)
  }
  const about = { id: message.id }
  if (!kept.some(isSentAgain))
    return replyOf(finish, [], partsLeft(message, [...kept.filter(isThought), ...left]), about)
  const isSame = kept.length === (message.parts as Fields[]).length && finish !== 'cut'
  return replyOf(finish, [isSame ? message : { ...message, parts: kept }], partsLeft(message, left), about)
}

const partsLeft = (message: Fields, parts: readonly Fields[]): unknown[] =>
  parts.length > 0 ? [{ ...message, parts }] : []

/** Whether a call is not sent again: it is incomplete, or unanswered in a cut reply. */
function isGone(part: Fields & { readonly type: string }, finish: Finish): boolean {
  if (isStreaming(part)) return true
  if (finish === 'cut') return !isSettled(part)
  return mayEndInCall(finish) && !isRecord(inputOf(part))
}

const isShown = (part: Fields): boolean =>
  isStepStart(part) || part.type === 'steering-message' || isWords(part) || /^(data|source)-/.test(text(part.type))

const isWords = ({ type, text: words }: Fields): boolean => type === 'text' && hasWords(text(words))

const isBlank = (part: Fields): boolean => part.type === 'text' || isStepStart(part)

const isThought = ({ type }: Fields): boolean => type === 'reasoning' || type === 'reasoning-file'

/** Whether a part is sent to the model again. */
const isSentAgain = (part: Fields): boolean =>
  isToolPart(part) || part.type === 'file' || (part.type === 'text' && part.text !== '')

/** Provider metadata of a text may belong to removed parts. */
function bare(part: Fields): Fields {
  if (part.type !== 'text') return part
  return { type: 'text', text: part.text, state: 'done' }
}
