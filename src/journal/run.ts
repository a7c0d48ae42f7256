import { assertAmounts } from '../core/assert-options.ts'
import { describeError } from '../core/describe-error.ts'
import { AntiphonError } from '../core/errors.ts'
import { AgentRuns } from './agents/agent-runs.ts'
import { askModels, assertModels, type ModelOptions } from './ask-models.ts'
import type { CallHandle } from './call.ts'
import { aborted, untilAborted } from './clock.ts'
import { compactIfLong, compactNow, type RunCompaction } from './compaction/run-compaction.ts'
import type { TurnStatus } from './entry.ts'
import { EventQueue } from './event-queue.ts'
import { callId } from './fold.ts'
import { type RunEvent, runEventOf } from './run-event.ts'
import { assertThreadOptions, type Thread } from './thread.ts'
import type { ThreadSummary } from './thread-options.ts'
import {
  type AgentLimits,
  type AgentOptions,
  alignAgents,
  type CallContext,
  canReplay,
  handleCall,
  type Signals,
  type Tools,
} from './tool.ts'
import type { Turn } from './turn.ts'
import { isLost } from './turn-errors.ts'

export interface RunOptions extends ModelOptions {
  readonly tools?: Tools
  /** Summarizes the history, as `thread.compact` does: before a model call if it is longer than `atTokens`, and when the provider rejects it as too long. */
  readonly compact?: RunCompaction
  /**
   * A turn that would need more responses than this ends with the status `limit`. If user input arrived after the
   * last response, there is one more response, whose calls are not run.
   */
  readonly maxSteps?: number
  readonly agentLimits?: AgentLimits
  /** How long to wait while another process owns the thread. */
  readonly waitMs?: number
  /** Interrupts the turn and stops the run. If the interruption cannot be written, the run rejects with that error. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: RunEvent) => void
}

export interface RunResult {
  /**
   * How the last turn ended. `parked`: the thread waits for a decision or a result from outside. `owned`: another process
   * owns the thread, or runs an agent that it waits for. `nothing`: there was nothing to do.
   */
  readonly status: TurnStatus | 'parked' | 'owned' | 'nothing'
  readonly turn?: number
}

/** A promise of the result, and an iterable of the events: await it, iterate over it, or both. */
export interface Run extends Promise<RunResult>, AsyncIterable<RunEvent> {}

/**
 * Runs a thread until there is nothing left to do: asks the model, performs its calls, runs its agents, and asks again. It starts at once. An
 * error ends the turn, is recorded, and is thrown. If it cannot be recorded, an error with the code `failure-unrecorded` is
 * thrown, with the first error as its `cause` and the error of the journal as `data.journal`. A turn that could not reach its
 * journal (`journal-unreachable`) is not ended: the next owner continues it when the lease has ended.
 */
export function run(thread: Thread, options: RunOptions): Run {
  const events = new EventQueue<RunEvent>()
  const listenerErrors: unknown[] = []
  const emit = (event: RunEvent): void => {
    events.push(event)
    try {
      options.onEvent?.(event)
    } catch (error) {
      listenerErrors.push(error)
    }
  }
  // A listener that throws does not stop the turn. Its error is thrown when the run is done.
  const result = runTurns(thread, options, emit).then(ended => {
    if (listenerErrors.length > 0) throw listenerErrors[0]
    return ended
  })
  let isAwaited = false
  result.then(
    () => events.end(),
    error => {
      const isHeard = isAwaited || events.hasSubscribers
      events.end(error)
      // The run is neither awaited nor iterated, so its error becomes an unhandled rejection.
      if (!isHeard) throw error
    },
  )
  const awaited = (): Promise<RunResult> => {
    isAwaited = true
    return result
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a run is awaited like a promise, and is read like a stream.
    then: (resolve, reject) => awaited().then(resolve, reject),
    catch: reject => awaited().catch(reject),
    finally: onEnd => awaited().finally(onEnd),
    [Symbol.toStringTag]: 'Run',
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  }
}

/** Throws if there is no model to ask, or a number is not valid, here or for one of the agents: a call would wait for an agent that cannot begin. */
export function assertRunOptions(
  options: Omit<RunOptions, 'onEvent' | 'signal' | 'waitMs'>,
  checked: Set<AgentOptions> = new Set(),
): void {
  assertModels(options)
  const { maxSteps, agentLimits, tools } = options
  assertAmounts({ maxSteps, 'agentLimits.depth': agentLimits?.depth, 'agentLimits.perTurn': agentLimits?.perTurn })
  // A tool that is undefined does not count.
  for (const [name, tool] of Object.entries<Tools[string] | undefined>(tools ?? {})) {
    assertAmounts({ [`timeoutMs of ${name}`]: tool?.timeoutMs, [`expiresMs of ${name}`]: tool?.expiresMs })
    if (tool?.agent && !checked.has(tool.agent)) assertAgent(name, tool.agent, checked.add(tool.agent))
  }
  const { atTokens } = options.compact ?? {}
  if (atTokens !== undefined && !(atTokens > 0))
    throw new AntiphonError('wrong-number', `compact.atTokens must be a positive number, got ${atTokens}`, {
      hint: 'use a number above 0',
    })
}

/** An agent may be among its own tools. */
function assertAgent(name: string, agent: AgentOptions, checked: Set<AgentOptions>): void {
  try {
    assertThreadOptions(agent.thread ?? {})
    assertRunOptions(agent, checked)
  } catch (error) {
    if (!AntiphonError.is(error)) throw error
    const { code, message, hint } = error
    throw new AntiphonError(code, `agent ${name}: ${message}`, hint === undefined ? {} : { hint })
  }
}

async function runTurns(thread: Thread, options: RunOptions, emit: (event: RunEvent) => void): Promise<RunResult> {
  assertRunOptions(options)
  const unsubscribe = emitEntries(thread, emit)
  const agents = agentRuns(thread, options, emit)
  let last: Turn | undefined
  try {
    for (;;) {
      const turn = await thread.turn({
        ...(options.waitMs === undefined ? {} : { waitMs: options.waitMs }),
        ...(options.signal && { signal: options.signal }),
        isSafe: canReplay(options.tools ?? {}),
      })
      if (turn) {
        last = turn
        await runTurn(thread, turn, { ...options, onAgent: agents.begin.bind(agents) }, emit)
      } else if (!(await continueAgents(thread, agents, options.signal)))
        return withAgents(thread, last ? resultOf(last) : withoutTurn(await thread.status()))
    }
  } finally {
    await agents.end()
    unsubscribe()
  }
}

const resultOf = ({ status, number }: Turn): RunResult => ({ status: status ?? 'parked', turn: number })

/** The agents of the thread, which run with the same limits. */
export const agentRuns = (thread: Thread, options: RunOptions, emit: (event: RunEvent) => void): AgentRuns =>
  new AgentRuns({
    ...{ thread, tools: options.tools ?? {}, emit },
    run: (child, agent, signal, onEvent) =>
      run(child, {
        ...agentRunOptions(agent, options),
        ...(options.waitMs === undefined ? {} : { waitMs: options.waitMs }),
        ...{ signal, onEvent },
      }),
  })

/** How the thread of an agent is run. */
export function agentRunOptions(agent: AgentOptions, { agentLimits }: Pick<RunOptions, 'agentLimits'>): RunOptions {
  const { inputSchema: _, approval: __, expiresMs: ___, prompt: ____, thread: _____, ...options } = agent
  return { ...options, ...(agentLimits && { agentLimits }) }
}

/** Starts the agents that can continue, and waits for the next change of one of them. Returns false if none can continue. */
export async function continueAgents(
  thread: Thread,
  agents: AgentRuns,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!(await agents.start(signal?.aborted !== true))) return false
  // The thread's own turn is parked, so the interrupt ends it at once; its agents are stopped after that.
  const stop = stopOn(signal, () => thread.interrupt('the run was stopped'))
  try {
    if ((await untilAborted(stop.failed, agents.nextChange())) === aborted) throw stop.failed.reason
    await stop.written()
    return true
  } finally {
    stop.unsubscribe()
  }
}

/** The result of a run that got no turn. */
function withoutTurn({ state, turn }: ThreadSummary): RunResult {
  if (turn === undefined) return { status: 'nothing' }
  return { status: state === 'parked' ? 'parked' : 'owned', turn }
}

/** The result of a run whose turn may wait for agents that another process runs. */
async function withAgents(thread: Thread, result: RunResult): Promise<RunResult> {
  const isOwned = result.status === 'parked' && thread.agents.open.length > 0 && (await thread.agents.areWorking())
  return isOwned ? { ...result, status: 'owned' } : result
}

/** Runs one turn to its end, or until it is parked. When `leaving` is aborted it is handed over at the next step. */
export async function runTurn(
  thread: Thread,
  turn: Turn,
  options: RunOptions & Pick<CallContext, 'onAgent'>,
  emit: (event: RunEvent) => void,
  leaving: AbortSignal = new AbortController().signal,
): Promise<void> {
  const stop = stopOn(options.signal, () => thread.interrupt('the run was stopped', { turn: turn.number }))
  const running = AbortSignal.any([turn.signal, stop.failed])
  const signals = { running, starting: AbortSignal.any([running, leaving]) }
  const { tools = {}, agentLimits, onAgent } = options
  const context = { thread, turn, tools, agentLimits, onAgent }
  const next = (): Promise<void> => step(context, options, signals, emit)
  try {
    if (!turn.signal.aborted) await alignAgents(context, running)
    do {
      await stop.written()
      while (turn.open) {
        if (leaving.aborted) await turn.handOver()
        else await untilAborted(stop.failed, turn.trace.within(next))
        await stop.written()
      }
    } while (turn.isWaiting && !(await turn.park()))
    await stop.written()
    if (isLost(turn.signal.reason)) throw turn.signal.reason
    await turn[Symbol.asyncDispose]()
  } catch (error) {
    await failTurn(turn, isLost(turn.signal.reason) ? turn.signal.reason : error)
  } finally {
    stop.unsubscribe()
  }
}

/** Interrupts the turn when the signal is aborted. If that cannot be written, `failed` is aborted with the error. */
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
    unsubscribe: () => signal?.removeEventListener('abort', stop),
  }
}

/**
 * Ends the turn with the error and throws it. The turn is not ended if it is lost (it has another owner, or its thread was
 * erased) or if its journal cannot be reached (`turn.fail` checks that). If the turn was interrupted, the error is not thrown.
 */
async function failTurn(turn: Turn, error: unknown): Promise<void> {
  try {
    if (!turn.status && !isLost(error)) await turn.fail(error)
    await turn[Symbol.asyncDispose]()
  } catch (failure) {
    await turn[Symbol.asyncDispose]().catch(() => {})
    // The write may have succeeded although its answer was lost. Then the turn is over, and the error is recorded.
    const needsNoMention = isSame(error, failure) || (AntiphonError.is(failure) && failure.code === 'turn-over')
    if (!turn.isInterrupted) throw needsNoMention ? error : unrecorded(error, failure)
    if (!turn.status) throw failure
  }
  if (!turn.isInterrupted) throw error
}

/** A journal that is down fails twice in the same way; that is reported once. */
const isSame = (one: unknown, other: unknown): boolean =>
  AntiphonError.is(one) && AntiphonError.is(other)
    ? one.code === other.code
    : describeError(one) === describeError(other)

const unrecorded = (error: unknown, failure: unknown): AntiphonError =>
  new AntiphonError(
    'failure-unrecorded',
    `${describeError(error)} (and the journal could not record it: ${describeError(failure)})`,
    { hint: 'another process continues the turn when its lease has ended', cause: error, journal: failure },
  )

/** Performs the open calls; if there are none, asks the model. */
async function step(
  context: CallContext,
  options: RunOptions,
  signals: Signals,
  emit: (event: RunEvent) => void,
): Promise<void> {
  const { thread, turn } = context
  const { maxSteps = 100 } = options
  if (turn.calls.length > 0 && turn.steps <= maxSteps)
    return performCalls(thread, turn, call => handleCall(context, call, signals))
  // After the limit only new input is answered, and no call is run: the turn gets longer only if the user writes.
  if (turn.calls.length > 0 || (turn.steps >= maxSteps && !turn.isUnanswered)) return turn.finish('limit')
  await turn.admit()
  const { compact } = options
  if (!compact) return askModels(thread, turn, options, signals.running, emit)
  await compactIfLong(thread, turn, compact, signals.running, emit)
  const onTooLong = (): Promise<boolean> => compactNow(thread, turn, compact, signals.running, emit)
  await askModels(thread, turn, { ...options, onTooLong }, signals.running, emit)
}

/**
 * Performs the calls that can run, and calls that are approved meanwhile. All of them end before the first failure is thrown.
 */
async function performCalls(thread: Thread, turn: Turn, perform: (call: CallHandle) => Promise<void>): Promise<void> {
  const ready = new Set(turn.calls.map(({ id }) => id))
  const running = new Set<string>()
  const failures: unknown[] = []
  let wake = (): void => {}
  const unsubscribe = thread.listen((entries, { uid }) => {
    for (const entry of entries) if (entry.kind === 'call-decide' && entry.approved) ready.add(callId(uid, entry.call))
    wake()
  })
  const begin = async (call: CallHandle): Promise<void> => {
    ready.delete(call.id)
    running.add(call.id)
    await perform(call).catch(error => failures.push(error))
    running.delete(call.id)
    wake()
  }
  try {
    for (;;) {
      const news = new Promise<void>(resolve => {
        wake = resolve
      })
      const calls = ready.size > 0 && failures.length === 0 ? turn.calls : []
      for (const call of calls) if (ready.has(call.id) && !running.has(call.id)) void begin(call)
      if (running.size === 0) break
      await news
    }
  } finally {
    unsubscribe()
  }
  if (failures.length > 0) throw failures[0]
}

/** Emits an event for every entry that this process writes or reads from now on. */
export function emitEntries(thread: Thread, emit: (event: RunEvent) => void): () => void {
  let isFresh = true
  /** The turn that can be interrupted. */
  let running: number | undefined
  return thread.listen((entries, state) => {
    for (const entry of entries) {
      const event = runEventOf(entry, state, thread.name)
      // The previous owner may have streamed part of a response that it never recorded.
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
