import type { ReplyDelta } from '../../codecs/shared/reply.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import { AntiphonError } from '../../core/errors.ts'
import { isAnswerError, readThrownRejection } from '../../heal/rejections/error-rejection.ts'
import { isResolved } from '../../heal/rejections/is-resolved.ts'
import { type Lessons, lessonsOf } from '../../heal/rejections/lessons.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { aborted, untilAborted } from '../clock.ts'
import type { Learnt } from '../decide.ts'
import { type ReceivedReply, type ReceiveOptions, receiveReply } from '../receive.ts'
import type { TurnTrace } from '../tracing/turn-trace.ts'
import { repairRejectedMessages, requestOf } from './rejected.ts'
import { healOptionsFor, type Renderers, type RenderTarget } from './render.ts'

/** How the messages of the request were rendered. */
export interface AskedWith {
  readonly target: RenderTarget
  readonly renderers: Renderers
  /** The provider that answers, if it is not the provider of the thread. */
  readonly dialect?: DialectId | undefined
  readonly signal: AbortSignal
  /** Shortens the history after a rejection, and returns whether it did. */
  readonly onTooLong?: (() => Promise<boolean>) | undefined
}

/** Messages for a second request, the rejection that they resolve, and what is learnt if they do. */
interface SecondRequest {
  readonly messages: unknown[]
  readonly rejection: Rejection
  readonly learnt: Learnt | undefined
}

/**
 * The messages for a second request after an error of the model, repaired by the smallest change that resolves the error. Undefined if the
 * error is not a known rejection, or if no change of the messages resolves it.
 */
async function repairAfter(error: unknown, asked: AskedWith): Promise<SecondRequest | undefined> {
  const { target, renderers, dialect = target.dialect, signal, onTooLong } = asked
  if (AntiphonError.is(error) || signal.aborted) return undefined
  try {
    // Rendered again, because the model function may have changed what it was given.
    const messages = renderers.render(target)
    const options = { for: dialect, request: () => JSON.stringify(messages) }
    const rejection = await untilAborted(signal, readThrownRejection(error, options))
    if (!rejection || rejection === aborted) return undefined
    if (rejection.kind === 'context-overflow' && (await onTooLong?.()))
      return signal.aborted ? undefined : { messages: renderers.render(target), rejection, learnt: undefined }
    const repaired = repairRejectedMessages(messages, rejection, healOptionsFor(target))
    if (!repaired) return undefined
    const [before, after, whole] = [messages, repaired, renderers.renderUnlearnt(target)].map(list =>
      requestOf(list, target.format),
    )
    const learnt = { ...target, ...lastingLessons(lessonsOf(rejection, before, after, whole)) }
    const isTaught = learnt.marks.length > 0 || learnt.rejections.length > 0
    return { messages: structuredClone([...repaired]), rejection, learnt: isTaught ? learnt : undefined }
  } catch {
    // The error of the model is the one to report.
    return undefined
  }
}

/**
 * The lessons that a thread keeps: fingerprints of rejected blocks, what changes how messages are written, and how long a history may be
 * until the turn ends. Without a conversation a lesson removes no content: what one request was rejected for may be accepted tomorrow.
 */
const lastingLessons = ({ rejections, marks }: Lessons): Lessons => ({
  rejections: rejections
    .filter(({ kind, settings }) => settings === undefined && !/^(?:image|document|foreign-field|parameter)/.test(kind))
    .map(lesson => (lesson.kind === 'context-overflow' ? lesson : withoutConversation(lesson))),
  marks: marks.map(mark => mark.slice(0, mark.indexOf('@'))),
})

const withoutConversation = ({ conversation: _, ...lesson }: Rejection): Rejection => lesson

/** The outcome of a model call: a reply, or a thrown error; neither if the turn was aborted. */
export interface Answer {
  readonly received?: ReceivedReply
  readonly thrown?: { readonly error: unknown }
  /** The error, if no part of a response arrived before it. */
  readonly failure?: { readonly error: unknown }
  readonly learnt?: Learnt | undefined
}

/** Receives what a model function returned. */
export async function receiveAnswer(response: unknown, options: ReceiveOptions, trace: TurnTrace): Promise<Answer> {
  const { signal } = options
  let answer: unknown
  try {
    answer = await untilAborted(signal, Promise.resolve(response))
  } catch (error) {
    return signal.aborted ? {} : { thrown: { error }, failure: { error } }
  }
  if (answer === aborted) return {}
  let hasBegun = false
  const onDelta = (delta: ReplyDelta): void => {
    hasBegun = true
    options.onDelta?.(delta)
  }
  const received = await trace.receive(() => receiveReply(answer, { ...options, onDelta }))
  const { reply, error } = received
  return { received, ...(error === undefined || hasBegun || reply.messages.length > 0 ? {} : { failure: { error } }) }
}

/** Calls the model once more after a rejection that can be repaired; otherwise returns the first answer. */
export async function askAgain(
  first: Answer,
  asked: AskedWith,
  ask: (messages: unknown[]) => Promise<Answer>,
): Promise<Answer> {
  const second = first.failure && (await repairAfter(first.failure.error, asked))
  if (!first.failure || !second) return first
  const answer = await ask(second.messages)
  // The provider accepted the repaired messages, so the lesson is recorded.
  if (!answer.failure) return { ...answer, learnt: second.learnt }
  // If the provider did not answer the second request, the first error is reported.
  if (answer.thrown && !isAnswerError(answer.thrown.error)) return { thrown: first.failure }
  return { ...answer, learnt: (await hasResolved(second, answer.failure.error, asked)) ? second.learnt : undefined }
}

/** Whether the provider rejected something else the second time, so that the next turn can begin with what was learnt. */
async function hasResolved(
  second: SecondRequest,
  error: unknown,
  { target, dialect, signal }: AskedWith,
): Promise<boolean> {
  const options = { for: dialect ?? target.dialect, request: () => JSON.stringify(second.messages) }
  const next = await untilAborted(signal, readThrownRejection(error, options)).catch(() => undefined)
  return next !== aborted && isResolved(second.rejection, next)
}
