import type { CodecId } from '../codecs/index.ts'
import type { ReplyDelta } from '../codecs/shared/reply.ts'
import type { DialectId } from '../core/dialects/index.ts'
import { AntiphonError } from '../core/errors.ts'
import type { CallHandle } from './call.ts'
import type { TurnStatus } from './entry.ts'
import { EventQueue } from './event-queue.ts'
import { callId } from './fold.ts'
import { wordsOf } from './outcome.ts'
import { eventOf, type RunEvent } from './run-event.ts'
import type { Thread, ThreadStatus } from './thread.ts'
import { handle, type Signals, type Tools, toolNamed } from './tool.ts'
import type { Turn } from './turn.ts'
import { untilAborted } from './until-aborted.ts'

/** What a model function is asked with. */
export interface ModelRequest {
  readonly messages: never[]
  readonly signal: AbortSignal
  readonly thread: string
  readonly turn: number
  /** How many responses the turn has already. */
  readonly step: number
}

export interface RunOptions {
  /** Any function from messages to what a provider's SDK gives back, whole or as a stream. */
  readonly model: (request: ModelRequest) => unknown
  readonly tools?: Tools
  /**
   * A turn that would need more responses than this ends with the status `limit`. If the user has spoken since the last of
   * them there is one more, whose calls are not run.
   */
  readonly maxSteps?: number
  /** The wire of the responses, if it is not the thread's. */
  readonly format?: CodecId
  /** Who answers, if it is not the thread's reader. */
  readonly for?: DialectId
  /** How long to wait for another owner of the thread. */
  readonly waitMs?: number
  /** Stops the run: the turn is interrupted. If that cannot be written, the run ends with the error. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: RunEvent) => void
}

export interface RunResult {
  /**
   * How the last turn ended. Without one: `parked` if the thread waits for somebody outside, `owned` if somebody else goes on
   * with it, `nothing` if there was nothing to do.
   */
  readonly status: TurnStatus | 'parked' | 'owned' | 'nothing'
  readonly turn?: number
}

/** A run is awaited for its result, or read for its events, or both. */
export interface Run extends PromiseLike<RunResult>, AsyncIterable<RunEvent> {}

/**
 * Goes on with a thread until there is nothing left to do: asks the model, performs its calls, asks again. It starts at
 * once. An error ends the turn, is recorded, and comes out here. If it cannot be recorded, an error with the code
 * `failure-unrecorded` comes out: it has the first error as its `cause`, and that of the journal as `data.journal`.
 */
export function run(thread: Thread, options: RunOptions): Run {
  const events = new EventQueue<RunEvent>()
  const faults: unknown[] = []
  const emit = (event: RunEvent): void => {
    events.push(event)
    try {
      options.onEvent?.(event)
    } catch (error) {
      faults.push(error)
    }
  }
  // A listener that fails harms no turn: its error comes out when everything is done.
  const result = runTurns(thread, options, emit).then(ended => {
    if (faults.length > 0) throw faults[0]
    return ended
  })
  let isAwaited = false
  result.then(
    () => events.end(),
    error => {
      const isHeard = isAwaited || events.isRead
      events.end(error)
      // Nobody awaits it and nobody reads any more: then it is what an error is that nobody handles.
      if (!isHeard) throw error
    },
  )
  return {
    // biome-ignore lint/suspicious/noThenProperty: a run is awaited like a promise, and is read like a stream.
    then(resolve, reject) {
      isAwaited = true
      return result.then(resolve, reject)
    },
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  }
}

async function runTurns(thread: Thread, options: RunOptions, emit: (event: RunEvent) => void): Promise<RunResult> {
  const forget = tellEntries(thread, emit)
  let result: RunResult | undefined
  try {
    for (;;) {
      const turn = await thread.turn({
        ...(options.waitMs === undefined ? {} : { waitMs: options.waitMs }),
        ...(options.signal && { signal: options.signal }),
        isSafe: name => toolNamed(options.tools ?? {}, name)?.replay === 'safe',
      })
      if (!turn) return result ?? withoutTurn(await thread.status())
      await runTurn(thread, turn, options, emit)
      result = { status: turn.status ?? 'parked', turn: turn.number }
      if (options.signal?.aborted) return result
    }
  } finally {
    forget()
  }
}

/** Why a run got no turn. */
function withoutTurn({ state, turn }: ThreadStatus): RunResult {
  if (turn === undefined) return { status: 'nothing' }
  return { status: state === 'parked' ? 'parked' : 'owned', turn }
}

/** One turn, to its end or until it waits for somebody outside. When `leaving` is aborted it is given away at the next step. */
export async function runTurn(
  thread: Thread,
  turn: Turn,
  options: RunOptions,
  emit: (event: RunEvent) => void,
  leaving: AbortSignal = new AbortController().signal,
): Promise<void> {
  const stop = stopOn(options.signal, () => thread.interrupt('the run was stopped', { turn: turn.number }))
  const running = AbortSignal.any([turn.signal, stop.failed])
  const signals = { running, starting: AbortSignal.any([running, leaving]) }
  const next = (): Promise<void> => step(thread, turn, options, signals, emit)
  try {
    do {
      await stop.written()
      while (turn.open) {
        if (leaving.aborted) await turn.handOver()
        else await untilAborted(stop.failed, turn.trace.within(next))
        await stop.written()
      }
    } while (turn.isWaiting && !(await turn.park()))
    await stop.written()
    if (isFenced(turn.signal.reason)) throw turn.signal.reason
    await turn[Symbol.asyncDispose]()
  } catch (error) {
    await endWith(turn, isFenced(turn.signal.reason) ? turn.signal.reason : error)
  } finally {
    stop.forget()
  }
}

/** Interrupts the turn when the signal says so. If that cannot be written, `failed` is aborted with the error: nobody goes on. */
function stopOn(signal: AbortSignal | undefined, interrupt: () => Promise<unknown>) {
  const failure = new AbortController()
  let written: Promise<unknown> = Promise.resolve()
  const stop = (): void => {
    written = interrupt()
    written.catch(error => failure.abort(error))
  }
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, { once: true })
  return {
    failed: failure.signal,
    written: () => written,
    forget: () => signal?.removeEventListener('abort', stop),
  }
}

/** Ends the turn with the error, which comes out: unless it was part of an interruption. */
async function endWith(turn: Turn, error: unknown): Promise<void> {
  try {
    if (!turn.status && !isFenced(error)) await turn.fail(error)
    await turn[Symbol.asyncDispose]()
  } catch (failure) {
    await turn[Symbol.asyncDispose]().catch(() => {})
    // A write may have come through although its answer was lost: then the turn is over, and nothing is left to record.
    const isTold = isSame(error, failure) || (AntiphonError.is(failure) && failure.code === 'turn-over')
    if (!turn.isInterrupted) throw isTold ? error : unrecorded(error, failure)
    if (!turn.status) throw failure
  }
  if (!turn.isInterrupted) throw error
}

/** A journal that is down fails again in the same way: once is enough. */
const isSame = (one: unknown, other: unknown): boolean =>
  AntiphonError.is(one) && AntiphonError.is(other) ? one.code === other.code : wordsOf(one) === wordsOf(other)

const unrecorded = (error: unknown, failure: unknown): AntiphonError =>
  new AntiphonError(
    'failure-unrecorded',
    `${wordsOf(error)} (and the journal could not record that: ${wordsOf(failure)})`,
    { hint: 'the turn goes on with whoever takes it when its lease has ended', cause: error, journal: failure },
  )

/** Performs the calls that are there, else asks the model. */
async function step(
  thread: Thread,
  turn: Turn,
  options: RunOptions,
  signals: Signals,
  emit: (event: RunEvent) => void,
): Promise<void> {
  const { model, tools = {}, maxSteps = 100, format, for: dialect } = options
  if (turn.calls.length > 0 && turn.steps <= maxSteps)
    return performCalls(thread, turn, call => handle(turn, call, tools, signals))
  // Beyond the limit only what the user has said is answered, and no call is run: so nothing but the user can make it go on.
  if (turn.calls.length > 0 || (turn.steps >= maxSteps && !turn.isUnanswered)) return turn.finish('limit')
  await turn.admit()
  let hasStreamed = false
  const chat = turn.trace.chat(dialect)
  const onDelta = (delta: ReplyDelta): void => {
    hasStreamed = true
    chat.hear()
    emit({ kind: 'delta', delta })
  }
  try {
    const request = { signal: signals.running, thread: thread.name, turn: turn.number, step: turn.steps }
    const ask = (messages: never[]): unknown => chat.ask(messages, () => model({ ...request, messages }))
    const response = (async () => ask(turn.messages as never[]))()
    await turn.record(response, { onDelta, ...(format && { format }), ...(dialect && { for: dialect }) })
    chat.end()
  } catch (error) {
    chat.fail(error)
    // Of a stream that broke off the words are recorded; of anything else nothing is.
    const isRecorded = turn.status === 'failed' && !isFenced(error)
    if (hasStreamed && !isRecorded) {
      turn.trace.retract()
      emit({ kind: 'response-retract' })
    }
    throw error
  }
}

const isFenced = (error: unknown): boolean => AntiphonError.is(error) && error.code === 'fenced'

/**
 * Performs the calls that can run, and those that are approved meanwhile as soon as they are. All of them come to their end
 * before the first failure comes out.
 */
async function performCalls(thread: Thread, turn: Turn, perform: (call: CallHandle) => Promise<void>): Promise<void> {
  const ready = new Set(turn.calls.map(({ id }) => id))
  const atWork = new Set<string>()
  const failures: unknown[] = []
  let wake = (): void => {}
  const forget = thread.listen((entries, { uid }) => {
    for (const entry of entries) if (entry.kind === 'call-decide' && entry.approved) ready.add(callId(uid, entry.call))
    wake()
  })
  const begin = async (call: CallHandle): Promise<void> => {
    ready.delete(call.id)
    atWork.add(call.id)
    await perform(call).catch(error => failures.push(error))
    atWork.delete(call.id)
    wake()
  }
  try {
    for (;;) {
      const news = new Promise<void>(resolve => {
        wake = resolve
      })
      const calls = ready.size > 0 && failures.length === 0 ? turn.calls : []
      for (const call of calls) if (ready.has(call.id) && !atWork.has(call.id)) void begin(call)
      if (atWork.size === 0) break
      await news
    }
  } finally {
    forget()
  }
  if (failures.length > 0) throw failures[0]
}

/** Tells what is written from now on, by anybody, as far as this process takes it in. */
export function tellEntries(thread: Thread, emit: (event: RunEvent) => void): () => void {
  let isFresh = true
  /** The turn that can be interrupted. */
  let running: number | undefined
  return thread.listen((entries, state) => {
    for (const entry of entries) {
      const event = eventOf(entry, state)
      // Nobody knows what the owner before has shown of an answer that it never recorded.
      if (entry.kind === 'turn-resume' && isFresh) emit({ kind: 'response-retract' })
      if (entry.kind === 'turn-start' || entry.kind === 'turn-resume') {
        isFresh = false
        running = entry.turn
      }
      if (event) emit(event)
      const isByInput = entry.kind === 'input-submit' && entry.when === 'interrupt'
      if (isByInput && running !== undefined) emit({ kind: 'turn-interrupt', turn: running, reason: 'new input' })
      if (isByInput || entry.kind === 'turn-interrupt' || entry.kind === 'turn-end') running = undefined
    }
  })
}
