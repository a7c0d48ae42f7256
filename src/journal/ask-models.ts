import type { CodecId } from '../codecs/index.ts'
import type { ReplyDelta } from '../codecs/shared/reply.ts'
import type { DialectId } from '../core/dialects/index.ts'
import { AntiphonError } from '../core/errors.ts'
import { isTransientError } from '../heal/rejections/error-rejection.ts'
import { errorData } from './outcome.ts'
import type { AskOptions, RecordOptions } from './receive.ts'
import { assertTarget, renderTargetFor } from './render/render.ts'
import type { RunEvent } from './run-event.ts'
import type { Thread } from './thread.ts'
import type { Turn } from './turn.ts'
import { isLost } from './turn-errors.ts'

/** The argument of a model function. */
export interface ModelRequest {
  readonly messages: never[]
  readonly signal: AbortSignal
  readonly thread: string
  readonly turn: number
  /** The number of responses in the turn so far. */
  readonly step: number
  /** The instructions of an agent, if it has any. They are not part of the messages. */
  readonly system?: string
}

/** A function from messages to the response of a provider's SDK, whole or as a stream. */
export type ModelFunction = (request: ModelRequest) => unknown

/** A model of another provider than the thread's: its messages are rendered for it. */
export interface ModelChoice {
  readonly model: ModelFunction
  readonly for: DialectId
  /** The format of its messages, if it is not the provider's own. */
  readonly format?: CodecId
  /** The name of the model, as the `model` of a thread. */
  readonly name?: string
}

/** Which models answer, and what happens if one fails. */
export interface ModelOptions {
  /**
   * The model that answers. If it fails with a rejection of the provider that can be repaired, it is called once more with repaired messages.
   */
  readonly model?: ModelFunction
  /** Instead of `model`: the first one answers. If it is overloaded or cannot be reached, or its answer breaks off, the next one is asked. */
  readonly models?: readonly (ModelFunction | ModelChoice)[]
  /**
   * What happens if an answer breaks off: its text is recorded and the turn fails (`fail`, the default); its text is recorded and a model continues
   * it (`continue`); or its text is retracted and a model is asked again (`retry`). Calls of such an answer are never run.
   */
  readonly onCut?: 'fail' | 'continue' | 'retry'
  /**
   * How many attempts one response may take. The models are asked in order, and after the last one from the first again. By default each is asked
   * once, with `continue` and `retry` at least two attempts are made. There is no pause between attempts.
   */
  readonly attempts?: number
  /** Passed to the models as `system`. It is not stored. */
  readonly system?: string
  /** The format of the responses, if it is not the format of the thread. */
  readonly format?: CodecId
  /** The provider that answers, if it is not the provider of the thread. */
  readonly for?: DialectId
}

/** Throws if there is no model to ask, one of them is not a model, or a provider or a format is unknown. */
export function assertModels(options: ModelOptions): void {
  const { attempts, models } = options
  assertTarget(options)
  if (modelsOf(options).length === 0)
    throw new AntiphonError('wrong-option', 'model is missing', {
      hint: 'pass model, or models with at least one entry',
    })
  // An entry may be undefined, for example if a fallback model has no key.
  for (const [index, choice] of (modelsOf(options) as readonly Partial<ModelChoice>[]).entries()) {
    if (typeof choice !== 'function' && typeof choice?.model !== 'function')
      throw new AntiphonError('wrong-option', `${models ? `models[${index}]` : 'model'} is not a model`, {
        hint: 'pass a function; an entry of models can also be { model, for }',
      })
    if (typeof choice !== 'function') assertTarget(choice)
  }
  if (attempts !== undefined && !(Number.isInteger(attempts) && attempts > 0))
    throw new AntiphonError('wrong-number', `attempts must be a positive integer, got ${attempts}`, {
      hint: 'use 1 to ask once',
    })
}

/** Calls one model after the other, until one has answered or all attempts have failed. Responses that have broken off since the last whole one count as attempts. */
export async function askModels(
  thread: Thread,
  turn: Turn,
  options: ModelOptions & Pick<AskOptions, 'onTooLong'>,
  signal: AbortSignal,
  emit: (event: RunEvent) => void,
): Promise<void> {
  const models = modelsOf(options)
  const { onCut = 'fail', attempts = Math.max(models.length, onCut === 'fail' ? 1 : 2) } = options
  for (let attempt = turn.cuts + 1; ; attempt++) {
    const model = models[(attempt - 1) % models.length] as ModelFunction | ModelChoice
    const isLast = attempt >= attempts
    const asked = await askModel(thread, turn, model, options, signal, emit, isLast ? {} : { onCut, isRetried: true })
    if (!asked) return
    const { error, hasStreamed } = asked
    const isRetryable = isCutError(error) || isTransientError(error) || (hasStreamed && onCut === 'retry')
    if (isLast || !turn.open || isOwnError(error) || !isRetryable) throw error
    emit({ kind: 'model-failed', turn: turn.number, attempt, error: errorData(error) })
  }
}

/** Calls a model once. Returns undefined if it answered; otherwise the error, and whether part of an answer was streamed. */
async function askModel(
  thread: Thread,
  turn: Turn,
  choice: ModelFunction | ModelChoice,
  options: ModelOptions & Pick<AskOptions, 'onTooLong'>,
  signal: AbortSignal,
  emit: (event: RunEvent) => void,
  more: Pick<RecordOptions, 'onCut' | 'isRetried'>,
): Promise<{ readonly error: unknown; readonly hasStreamed: boolean } | undefined> {
  const { model, ...target } = typeof choice === 'function' ? { ...options, model: choice } : choice
  const { for: dialect, format } = target
  let hasStreamed = false
  const chat = turn.trace.chat(dialect)
  const onDelta = (delta: ReplyDelta): void => {
    hasStreamed = true
    chat.chunkReceived()
    emit({ kind: 'delta', delta })
  }
  const { system, onTooLong } = options
  const request = {
    ...{ signal, thread: thread.name, turn: turn.number, step: turn.steps },
    ...(system !== undefined && { system }),
  }
  const ask = (messages: never[]): unknown => chat.ask(messages, () => model({ ...request, messages }))
  try {
    await turn.ask(ask, {
      ...(onTooLong && { onTooLong }),
      ...{ onDelta, ...more, ...(format && { format }), ...(dialect && { for: dialect }) },
      ...(typeof choice !== 'function' && { target: renderTargetFor(choice.for, choice.format, choice.name) }),
    })
    chat.end()
    return undefined
  } catch (error) {
    chat.fail(error)
    // The text of a stream that broke off is recorded. After any other error nothing is.
    const isRecorded = turn.status === 'failed' && !isLost(error)
    if (hasStreamed && !isRecorded) {
      turn.trace.retract()
      emit({ kind: 'response-retract' })
    }
    return { error, hasStreamed }
  }
}

const modelsOf = ({ model, models }: ModelOptions): readonly (ModelFunction | ModelChoice)[] =>
  models ?? (model ? [model] : [])

/** The stream ended too early, without an error of the provider. */
const isCutError = (error: unknown): boolean => AntiphonError.is(error) && error.code === 'stream-cut'

/** An error of the journal, or of what the model function returned. */
const isOwnError = (error: unknown): boolean => AntiphonError.is(error) && error.code !== 'stream-cut'
