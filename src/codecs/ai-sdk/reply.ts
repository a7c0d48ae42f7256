import { type Fields, isRecord } from '../../core/conversation.ts'
import { finishOf, mayEndInCall } from '../shared/finish.ts'
import { type Finish, type Reply, type ReplyMetadata, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'
import { text } from '../shared/text.ts'
import { inputOf } from './input-output.ts'

/** Reads the result of `generateText`, or one of its steps: all its messages, including results that the library obtained. */
export function read(response: unknown): Reply | undefined {
  if (!isRecord(response) || !isResult(response)) return undefined
  const messages = messagesOf(response)
  const step = lastStep(response)
  if (!messages || !step || typeof step.finishReason !== 'string') return undefined
  const { id, modelId } = isRecord(step.response) ? step.response : ({} as Fields)
  const done = messages.findLastIndex(message => isRecord(message) && message.role === 'assistant')
  const incompleteCalls = Array.isArray(step.content)
    ? step.content.filter(isIncompleteCall).map(part => part.toolCallId)
    : []
  const about = { id, model: modelId, usage: response.totalUsage ?? step.usage }
  return toReply(
    messages,
    finishOf(step.finishReason),
    { done: Math.max(done, 0), incompleteCalls: new Set(incompleteCalls) },
    about,
  )
}

/** The result of a stream has promises for these, and starts to read the stream when they are accessed. */
const isResult = (response: Fields): boolean =>
  Object.hasOwn(response, 'steps') ? Array.isArray(response.steps) : Object.hasOwn(response, 'response')

/** Since version 7 each step has its own messages; before that the last step had all. */
function messagesOf(response: Fields): readonly unknown[] | undefined {
  if (Array.isArray(response.responseMessages)) return response.responseMessages
  const { steps, initialResponseMessages: first } = response
  if (Array.isArray(steps) && Array.isArray(first)) return [...first, ...steps.flatMap(step => messagesIn(step) ?? [])]
  return messagesIn(lastStep(response))
}

function messagesIn(step: unknown): readonly unknown[] | undefined {
  const response = isRecord(step) ? step.response : undefined
  return isRecord(response) && Array.isArray(response.messages) ? response.messages : undefined
}

function lastStep(response: Fields): Fields | undefined {
  const step = Array.isArray(response.steps) ? response.steps.at(-1) : response
  return isRecord(step) ? step : undefined
}

/** What is known of messages in addition to their content. */
export interface Progress {
  /** The number of messages in completed steps, with the results of the calls that the library runs. */
  readonly done: number
  /** The ids of calls whose arguments the library could not read: it shows them as if there were none. */
  readonly incompleteCalls: ReadonlySet<unknown>
}

/**
 * The reply with these messages, if it ended so. Of a cut one, steps that are done stay with the calls that were
 * answered, since those have run; of the one that was cut only the text stays.
 */
export function toReply(messages: readonly unknown[], finish: Finish, progress: Progress, about: ReplyMetadata): Reply {
  const gone = goneCalls(messages, finish, progress)
  const kept: unknown[] = []
  const left: unknown[] = []
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) continue
    const isOpen = finish === 'cut' && index >= progress.done
    const divided = isOpen ? cut(message) : splitSendable(message, gone)
    if (divided.kept) kept.push(divided.kept)
    if (divided.left) left.push(divided.left)
  }
  return replyOf(finish, kept, left, about)
}

/** The ids of the calls that are not sent again. */
function goneCalls(
  messages: readonly unknown[],
  finish: Finish,
  { done, incompleteCalls }: Progress,
): ReadonlySet<unknown> {
  if (mayEndInCall(finish))
    return new Set([...incompleteCalls, ...partsOf(messages.at(done)).filter(isIncompleteCall).map(idOf)])
  if (finish !== 'cut') return new Set()
  const parts = messages.slice(0, done).flatMap(partsOf)
  const answered = new Set(parts.filter(part => part.type === 'tool-result').map(idOf))
  return new Set(parts.filter(part => part.type === 'tool-call' && !answered.has(part.toolCallId)).map(idOf))
}

const partsOf = (message: unknown): Fields[] =>
  isRecord(message) && Array.isArray(message.content) ? message.content.filter(isRecord) : []

const idOf = ({ toolCallId }: Fields): unknown => toolCallId

const isIncompleteCall = (part: unknown): part is Fields =>
  isRecord(part) && part.type === 'tool-call' && !isRecord(inputOf(part))

interface SplitParts {
  readonly kept?: Fields
  readonly left?: Fields
}

/** A message without the removed calls and everything about them; one with only reasoning is left out. */
function splitSendable(message: Fields, gone: ReadonlySet<unknown>): SplitParts {
  const { role, content } = message
  if (role !== 'assistant' && role !== 'tool') return { kept: message }
  if (!Array.isArray(content)) return text(content) === '' ? {} : { kept: message }
  const isGone = (part: unknown): boolean => isRecord(part) && 'toolCallId' in part && gone.has(part.toolCallId)
  const kept = gone.size > 0 ? content.filter(part => !isGone(part)) : content
  if (!kept.some(part => isRecord(part) && !silent.has(part.type) && !isEmptyText(part)))
    return content.length > 0 ? { left: message } : {}
  if (kept.length === content.length) return { kept: message }
  return { kept: { ...message, content: kept }, left: { ...message, content: content.filter(isGone) } }
}

const silent = new Set<unknown>(['reasoning', 'redacted-reasoning', 'reasoning-file', 'custom'])

const isEmptyText = (part: Fields): boolean => part.type === 'text' && part.text === ''

/** Only texts are kept, without provider metadata: it may belong to removed parts. */
function cut(message: Fields): SplitParts {
  const { role, content } = message
  if (role !== 'assistant' && role !== 'tool') return { kept: message }
  if (!Array.isArray(content)) return hasWords(text(content)) ? { kept: { role, content } } : {}
  const kept = role === 'assistant' ? content.filter(isWords).map(({ text }) => ({ type: 'text', text })) : []
  const left = content.filter(part => isRecord(part) && part.type !== 'text')
  return {
    ...(kept.length > 0 ? { kept: { role, content: kept } } : {}),
    ...(left.length > 0 ? { left: { ...message, content: left } } : {}),
  }
}

const isWords = (part: unknown): part is Fields => isRecord(part) && part.type === 'text' && hasWords(text(part.text))
