import type { CodecId } from '../codecs/index.ts'
import type { ReplyDelta } from '../codecs/reply.ts'
import { AntiphonError } from '../errors.ts'
import type { TurnStatus } from '../journal/entry.ts'
import { EventQueue } from './event-queue.ts'
import type { Turn } from './open-turn.ts'
import { eventOf, type RunEvent } from './run-event.ts'
import type { Thread } from './thread.ts'
import { handle, type Tools, toolNamed } from './tool.ts'

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
  /** A turn that would need more responses than this ends with the status `limit`. */
  readonly maxSteps?: number
  /** The wire of the responses, if it is not the thread's. */
  readonly format?: CodecId
  /** How long to wait for another owner of the thread. */
  readonly waitMs?: number
  /** Stops the run: the turn is interrupted. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: RunEvent) => void
}

export interface RunResult {
  /** How the last turn ended; `parked` if it waits for somebody outside, `nothing` if there was nothing to do. */
  readonly status: TurnStatus | 'parked' | 'nothing'
  readonly turn?: number
}

/** A run is awaited for its result, or read for its events, or both. */
export interface Run extends PromiseLike<RunResult>, AsyncIterable<RunEvent> {}

/**
 * Goes on with a thread until there is nothing left to do: asks the model, performs its calls, asks again. It starts at
 * once. A model that fails ends the turn with the error recorded, and the error comes out here.
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
  result.then(
    () => events.end(),
    error => events.end(error),
  )
  return {
    // biome-ignore lint/suspicious/noThenProperty: a run is awaited like a promise, and is read like a stream.
    then: (resolve, reject) => result.then(resolve, reject),
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  }
}

async function runTurns(thread: Thread, options: RunOptions, emit: (event: RunEvent) => void): Promise<RunResult> {
  const forget = tellEntries(thread, emit)
  let result: RunResult = { status: 'nothing' }
  try {
    for (;;) {
      const turn = await thread.turn({
        ...(options.waitMs === undefined ? {} : { waitMs: options.waitMs }),
        ...(options.signal && { signal: options.signal }),
        isSafe: name => toolNamed(options.tools ?? {}, name)?.replay === 'safe',
      })
      if (!turn) return result
      await runTurn(thread, turn, options, emit)
      result = { status: turn.status ?? 'parked', turn: turn.number }
      if (options.signal?.aborted) return result
    }
  } finally {
    forget()
  }
}

/** One turn, to its end or until it waits for somebody outside. With `handsOver` it may be given away between two steps. */
export async function runTurn(
  thread: Thread,
  turn: Turn,
  options: RunOptions,
  emit: (event: RunEvent) => void = () => {},
  handsOver: () => boolean = () => false,
): Promise<void> {
  const { signal } = options
  const interrupt = (): void => void thread.interrupt('the run was stopped', { turn: turn.number }).catch(() => {})
  if (signal?.aborted) interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    do {
      while (turn.open) {
        if (handsOver() && turn.calls.length === 0) return await turn.handOver()
        await step(thread, turn, options, emit)
      }
    } while (turn.isWaiting && !(await turn.park()))
  } catch (error) {
    if (!turn.isInterrupted) throw error
  } finally {
    signal?.removeEventListener('abort', interrupt)
    await turn[Symbol.asyncDispose]()
  }
}

/** Performs the calls that are there, else asks the model. */
async function step(thread: Thread, turn: Turn, options: RunOptions, emit: (event: RunEvent) => void): Promise<void> {
  const { model, tools = {}, maxSteps = 100, format } = options
  const { calls } = turn
  if (calls.length > 0) {
    await allOf(calls.map(call => handle(turn, call, tools)))
    return
  }
  if (turn.steps >= maxSteps) return turn.finish('limit')
  await turn.admit()
  let hasStreamed = false
  const onDelta = (delta: ReplyDelta): void => {
    hasStreamed = true
    emit({ kind: 'delta', delta })
  }
  try {
    const request = { signal: turn.signal, thread: thread.name, turn: turn.number, step: turn.steps }
    const response = await answer(model, { ...request, messages: turn.messages as never[] }, turn)
    await turn.record(response, { onDelta, ...(format && { format }) })
  } catch (error) {
    // Of a stream that broke off the words are recorded; of anything else nothing is.
    const isRecorded = turn.status === 'failed' && !isFenced(error)
    if (hasStreamed && !isRecorded) emit({ kind: 'response-retract' })
    if (!turn.status) await turn.fail(error)
    throw error
  }
}

const isFenced = (error: unknown): boolean => AntiphonError.is(error) && error.code === 'fenced'

/** A model that does not hear its signal is left alone. */
async function answer(model: RunOptions['model'], request: ModelRequest, { signal }: Turn): Promise<unknown> {
  const response = Promise.resolve(model(request))
  response.catch(() => {})
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    response.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** All of them, to their end, before the first failure comes out. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(work)
  const failure = ends.find(end => end.status === 'rejected')
  if (failure) throw failure.reason
}

/** Tells what is written from now on, by anybody, as far as this process takes it in. */
export function tellEntries(thread: Thread, emit: (event: RunEvent) => void): () => void {
  let isFresh = true
  return thread.listen((entries, { uid, calls }) => {
    for (const entry of entries) {
      const event = eventOf(entry, uid, calls)
      // Nobody knows what the owner before has shown of an answer that it never recorded.
      if (entry.kind === 'turn-resume' && isFresh) emit({ kind: 'response-retract' })
      if (entry.kind === 'turn-start' || entry.kind === 'turn-resume') isFresh = false
      if (event) emit(event)
    }
  })
}
