import { type Fields, isRecord } from '../../core/conversation.ts'
import { finishOf } from '../shared/finish.ts'
import type { Replies, Reply, ReplyDelta, ReplyFold } from '../shared/reply.ts'
import { read, toReply } from './reply.ts'
import { StepFold } from './step-fold.ts'

const marks = new Set<unknown>(['start', 'finish', 'abort', 'source', 'raw'])
const calls = new Set<unknown>(['tool-call', 'tool-result', 'tool-error', 'tool-approval-request'])
const parts = new Set<unknown>(['text-start', 'text-end', 'reasoning-start', 'reasoning-end'])

/** The stream of a user interface has parts of the same names with other fields. */
function recognises(chunk: unknown): boolean {
  if (!isRecord(chunk)) return false
  const { type } = chunk
  if (type === 'text-delta' || type === 'reasoning-delta') return typeof chunk.text === 'string'
  if (calls.has(type)) return 'toolCall' in chunk || 'toolName' in chunk
  if (type === 'tool-input-start' || type === 'tool-input-delta' || type === 'tool-input-end')
    return typeof chunk.id === 'string'
  if (type === 'start-step') return 'request' in chunk
  if (type === 'finish-step') return 'usage' in chunk || 'finishReason' in chunk
  return marks.has(type) || parts.has(type)
}

const fold = (): ReplyFold => new TextStreamFold()

export const replies: Replies = { read, recognises, fold }

/** A run of steps, each a request to the model and the results of its calls. */
class TextStreamFold implements ReplyFold {
  failure: unknown
  readonly #steps: StepFold[] = []
  #calls = 0
  #isOver = false
  #isAborted = false
  #reason: unknown
  #response: Fields = {}
  #usage: unknown

  push(part: unknown): readonly ReplyDelta[] {
    if (!isRecord(part)) return []
    switch (part.type) {
      case 'start-step':
        this.#startStep()
        return []
      case 'finish-step':
        this.#finishStep(part)
        return []
      case 'finish':
        this.#isOver = true
        this.#reason = part.finishReason
        this.#usage = part.totalUsage ?? this.#usage
        return []
      case 'abort':
        this.#isAborted = true
        return []
      case 'error':
        this.failure ??= part.error ?? part
        return []
    }
    const step = this.#openStep()
    const deltas = step.push(part)
    this.#calls = step.calls
    return deltas
  }

  end(): Reply {
    const isWhole = this.#isOver && !this.#isAborted && this.failure === undefined
    const steps = this.#steps.map(step => ({ messages: step.messages, isDone: step.isSettled }))
    const end = steps.findIndex(({ isDone }) => !isDone)
    const isDone = (index: number): boolean => (isWhole ? index < steps.length - 1 : end < 0 || index < end)
    const done = steps.reduce((count, { messages }, index) => count + (isDone(index) ? messages.length : 0), 0)
    const incompleteCalls = new Set(this.#steps.at(-1)?.incompleteCalls)
    const about = { id: this.#response.id, model: this.#response.modelId, usage: this.#usage }
    const messages = steps.flatMap(step => step.messages)
    return toReply(messages, isWhole ? finishOf(this.#reason) : 'cut', { done, incompleteCalls }, about)
  }

  /** Results before the first step are those of calls that were approved since. */
  #openStep(): StepFold {
    const last = this.#steps.at(-1)
    if (last && !last.isDone) return last
    const step = new StepFold(this.#calls)
    this.#steps.push(step)
    return step
  }

  /** A step is over when the next one starts, with or without an end event. */
  #startStep(): void {
    const last = this.#steps.at(-1)
    if (last) last.isDone = true
    this.#steps.push(new StepFold(this.#calls))
  }

  #finishStep(part: Fields): void {
    const step = this.#openStep()
    step.isDone = finishOf(part.finishReason) !== 'cut'
    if (isRecord(part.response)) this.#response = part.response
    this.#usage = part.usage ?? this.#usage
  }
}
