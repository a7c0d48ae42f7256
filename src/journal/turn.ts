import type { ReplyDelta } from '../codecs/shared/reply.ts'
import { AntiphonError } from '../core/errors.ts'
import { type CallHandle, handlesOf } from './call.ts'
import { settleCall } from './calls/settle-call.ts'
import { type Clock, withTimeout } from './clock.ts'
import { type Command, settleNotStarted } from './decide.ts'
import type { Outcome, ParkReason, TurnStatus } from './entry.ts'
import type { JournalCall } from './fold.ts'
import { Lease } from './lease.ts'
import type { ResponseStream } from './live/live-thread.ts'
import type { Log, Transition } from './log.ts'
import { errorData, outcomeOfOutput, placeholderOutcome } from './outcome.ts'
import { type AskOptions, endsWithMessage, type RecordOptions, responseOf } from './receive.ts'
import { countCuts, hasRunnable, isRunnable } from './recover.ts'
import { type Answer, askAgain, receiveAnswer } from './render/ask.ts'
import { copyAsJson } from './render/copy-as-json.ts'
import type { Renderers, RenderTarget } from './render/render.ts'
import { latestTimestamp } from './stores/times.ts'
import type { ThreadOptions } from './thread-options.ts'
import { type PerformOptions, runTool, settleWithRetry, type ToolContext } from './tool-run.ts'
import { noopTurnTrace, type TurnTrace } from './tracing/turn-trace.ts'
import { invalidExpiryError, isLost, isTurnOver, streamCutError, turnAbandoned, turnEndedError } from './turn-errors.ts'

/** What a turn shares with its thread. */
export interface TurnContext {
  readonly log: Log
  readonly clock: Clock
  readonly target: RenderTarget
  readonly renderers: Renderers
  readonly settings: Required<Pick<ThreadOptions, 'leaseMs' | 'graceMs' | 'outputBytesMax' | 'lateResults'>>
}

/**
 * A turn that this process owns. It renews its lease and notices interruptions. The store accepts responses only from it, and results
 * from any process. Dispose of every turn that you take: until then it keeps the process alive, because it may be interrupted.
 *
 * If the turn is still open when it is disposed of, its open calls are settled with placeholders and it ends as failed. If it
 * only waits for a decision or a result from outside, it is parked; if one has just arrived, it is handed over. If its writes
 * could not reach the journal, nothing is written: the next owner continues it when the lease has ended.
 */
export class Turn {
  readonly number: number
  readonly epoch: number
  /** The OpenTelemetry spans of the turn. `turn.trace.within(work)` makes the spans of `work` children of the turn's span. */
  readonly trace: TurnTrace
  readonly #context: TurnContext
  readonly #log: Log
  readonly #lease: Lease
  /** Calls that an earlier owner started and that may run again. Recovery settled all others. */
  readonly #again: Set<string>
  readonly #performing = new Map<string, Promise<Outcome>>()
  readonly #recording = new Set<Promise<unknown>>()
  /** After the last write of this owner, only a decision or a result from outside could continue the turn. */
  #isLeftToOthers = false
  #status: TurnStatus | undefined
  /** How the turn was to end. If that could not be written, it is tried again when the turn is disposed of. */
  #ending: { readonly status: TurnStatus; readonly error: unknown } | undefined
  /** Ends the turn after an interruption. */
  #windUp: Promise<void> | undefined

  constructor(context: TurnContext, turn: number, epoch: number, trace: TurnTrace = noopTurnTrace) {
    const { log, clock, settings } = context
    this.trace = trace
    this.#context = context
    this.#log = log
    this.number = turn
    this.epoch = epoch
    this.#again = new Set([...log.state.open.values()].filter(isStarted).map(({ id }) => id))
    // Kept after the turn is parked or handed over, so that its status is known here whichever process ends it.
    const unsubscribe = log.listen(entries => {
      for (const entry of entries) if (entry.kind === 'turn-end' && entry.turn === turn) this.#status = entry.status
      if (this.#status) unsubscribe()
    })
    this.#lease = new Lease({
      ...{ log, clock, turn, epoch, leaseMs: settings.leaseMs },
      onChange: () => this.#checkInterrupted(),
      onRelease: reason => trace.leave(reason),
    })
    this.#lease.check()
  }

  /** Aborted when the turn is interrupted, is taken over, or ends while a tool or the model is still running. */
  get signal(): AbortSignal {
    return this.#lease.signal
  }

  /** Whether its owner has something to do: ask the model, or perform a call. */
  get open(): boolean {
    if (!this.#lease.isHeld || this.signal.aborted) return false
    const { state } = this.#log
    return state.open.size === 0 || hasRunnable(state)
  }

  /** Whether only a decision or a result from outside can continue it. */
  get isWaiting(): boolean {
    const { state } = this.#log
    return this.#lease.isHeld && !this.signal.aborted && state.open.size > 0 && !hasRunnable(state)
  }

  get isInterrupted(): boolean {
    const { turn } = this.#log.state
    return turn?.turn === this.number ? turn.interrupted !== undefined : this.#status === 'interrupted'
  }

  /** Whether the last message is the user's. */
  get isUnanswered(): boolean {
    return this.#log.state.items.findLast(({ kind }) => kind === 'input' || kind === 'step')?.kind === 'input'
  }

  /** The number of responses so far; 0 when this process no longer owns the turn. */
  get steps(): number {
    return this.#lease.isHeld ? (this.#log.state.turn?.steps ?? 0) : 0
  }

  /** The number of responses that have broken off since the last whole one, or since the user spoke. */
  get cuts(): number {
    return countCuts(this.#log.state.items)
  }

  /** How it ended; undefined before. */
  get status(): TurnStatus | undefined {
    return this.#status
  }

  /** The messages to send to the model. */
  get messages(): unknown[] {
    return this.#context.renderers.render(this.#context.target)
  }

  /** The calls that can be performed now: of the last response, or left by an earlier owner. Running calls are not included. */
  get calls(): readonly CallHandle[] {
    const { state } = this.#log
    if (!this.#lease.isHeld) return []
    const calls = [...state.open.values()].filter(call => isRunnable(call) && !this.#isRunning(call))
    return handlesOf(state, calls, this.#again)
  }

  /** Adds waiting input to the history, if the step is complete. Settling the last call of a step does this too. */
  async admit(): Promise<void> {
    const tellsNotes = this.#context.settings.lateResults === 'tell'
    await this.#command({ do: 'admit', turn: this.number, tellsNotes })
  }

  /**
   * Records a response, whole or as a stream, with all its calls or not at all, and returns the calls to perform. If a stream
   * breaks off, the turn ends as failed and the error is thrown; after an interruption nothing is thrown. Calls of the
   * previous step that were never started are settled as such.
   */
  record(response: unknown, options: RecordOptions = {}): Promise<readonly CallHandle[]> {
    return this.#whileRecording(stream => this.#record(this.#receive(response, options, stream), options, stream))
  }

  /**
   * Asks the model with the messages of the thread and records its response, as `record` does. If the provider rejects the messages with a known error,
   * they are repaired and the model is called once more. What was learnt is recorded: any process repairs later messages before they are sent.
   */
  async ask(model: (messages: never[]) => unknown, options: AskOptions = {}): Promise<readonly CallHandle[]> {
    const { target = this.#context.target } = options
    const { renderers } = this.#context
    const asked = { target, renderers, dialect: options.for, signal: this.signal, onTooLong: options.onTooLong }
    return this.#whileRecording(stream => {
      const ask = (messages: unknown[]) => this.#receive((async () => model(messages as never[]))(), options, stream)
      const answer = ask(renderers.render(target)).then(first => askAgain(first, asked, ask))
      return this.#record(answer, options, stream)
    })
  }

  async #whileRecording(record: (stream: ResponseStream) => Promise<readonly CallHandle[]>) {
    const stream = this.#log.live.stream(this.epoch)
    const recording = record(stream)
    this.#recording.add(recording)
    try {
      return await recording
    } catch (error) {
      // The response came after the interrupted turn had ended.
      if (isTurnOver(error) && error.code === 'turn-over' && this.isInterrupted) return []
      throw error
    } finally {
      stream.retract()
      this.#recording.delete(recording)
    }
  }

  /** Ends the turn with an error, such as one of the model. An interrupted turn ends as interrupted. */
  async fail(error: unknown): Promise<void> {
    if (this.isInterrupted || !this.#lease.abandonAfterOutage(error)) await this.finish('failed', error)
  }

  /** Writes that the call is about to run. Returns false if it must not run: it is settled or running, or the turn is interrupted. */
  async start(call: CallHandle): Promise<boolean> {
    const again = this.#again.has(call.id)
    const { planned } = await this.#command({ do: 'start', turn: this.number, call: call.id, again })
    if (planned.why === 'waiting')
      throw new AntiphonError('not-approved', `call ${call.id} (${call.name}) waits for a decision or a result`, {
        hint: 'approve or settle it before it is started',
      })
    return planned.why === undefined || (planned.why === 'nothing' && this.#again.delete(call.id))
  }

  /** Gives a call its one result. If it already has one, that one is returned. */
  async settle(call: { readonly id: string }, output: unknown): Promise<Outcome> {
    return this.settleAs(call, outcomeOfOutput(output, this.#context.settings.outputBytesMax))
  }

  /** The same with a given outcome: an error, or a placeholder. */
  async settleAs({ id }: { readonly id: string }, outcome: Outcome): Promise<Outcome> {
    const owner = { turn: this.number, epoch: this.epoch }
    const stored = await this.#lease.write(() => settleCall(this.#log, id, outcome, owner))
    this.#isLeftToOthers = this.isWaiting
    return stored.outcome
  }

  /**
   * Starts the call, runs it, and settles it. Every run ends in a result, also if the tool throws, takes too long, ignores its
   * signal, or returns something that is not JSON. A settled call is not run; a running call returns the outcome of that run.
   */
  perform(
    call: CallHandle,
    execute: (context: ToolContext) => unknown,
    options: PerformOptions = {},
  ): Promise<Outcome> {
    const running = this.#performing.get(call.id)
    if (running) return running
    const work = this.#perform(call, execute, options).finally(() => this.#performing.delete(call.id))
    this.#performing.set(call.id, work)
    return work
  }

  /** Makes a call wait for an approval, for a result from outside, or for its agent. Without `expiresMs` it waits without a limit. */
  async parkCall(call: CallHandle, why: ParkReason, expiresMs = Infinity): Promise<void> {
    if (!(expiresMs >= 0)) throw invalidExpiryError(expiresMs)
    const until = Math.ceil((await this.#log.now()) + expiresMs)
    const expiry = until <= latestTimestamp ? { until } : {}
    await this.#command({ do: 'park-call', turn: this.number, call: call.id, why, ...expiry })
  }

  /** Releases the thread while calls wait for a decision or a result. Returns false if there is something to do after all. */
  async park(): Promise<boolean> {
    const { entries } = await this.#command({ do: 'park', turn: this.number })
    if (entries.length > 0) this.#lease.release()
    return entries.length > 0
  }

  /** Releases the turn so that another process continues it. Throws while a call is running. */
  async handOver(): Promise<void> {
    const again = new Set([...this.#again].filter(id => !this.#performing.has(id)))
    await this.#command({ do: 'hand-over', turn: this.number, again })
    this.#lease.release()
  }

  /**
   * Ends the turn. Open calls are settled with placeholders; the result of a call that still runs is stored later, as a late one. An interrupted turn ends as
   * interrupted, after its running calls have ended or the grace period is over.
   */
  async finish(status: TurnStatus = 'done', error?: unknown): Promise<void> {
    this.#ending ??= { status, error }
    if (this.#windUp) {
      await this.#windUp.catch(() => {})
      // Ending the interrupted turn could not be written, so it is tried again.
      if (this.#lease.isHeld) await this.#end('interrupted')
      return
    }
    if (this.#busy.length > 0) this.#lease.abort(turnEndedError(this.number))
    await this.#end(status, error)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#giveBack()
    } catch (error) {
      if (!isTurnOver(error)) throw error
    } finally {
      this.#lease.release()
    }
  }

  async #giveBack(): Promise<void> {
    if (!this.#lease.isHeld) return this.#windUp
    const isLeftToOthers = (this.isWaiting || this.#isLeftToOthers) && this.#performing.size === 0
    if (this.#ending) return this.finish(this.#ending.status, this.#ending.error)
    if (!isLeftToOthers || this.isInterrupted) return this.fail(this.#lease.outage ?? turnAbandoned)
    // A decision may have arrived just now. Then there is something to do, and another process does it.
    if (!(await this.park())) await (this.#windUp ?? this.handOver())
  }

  /** Running tools, and responses that are being recorded. */
  get #busy(): Promise<unknown>[] {
    return [...this.#performing.values(), ...this.#recording]
  }

  #isRunning(call: JournalCall): boolean {
    return this.#performing.has(call.id) || (isStarted(call) && !this.#again.has(call.id))
  }

  #receive(response: unknown, { target, format, onDelta }: RecordOptions, stream: ResponseStream): Promise<Answer> {
    stream.retract()
    const expected = format ?? (target ?? this.#context.target).format
    const push = (delta: ReplyDelta): void => {
      stream.push(delta)
      onDelta?.(delta)
    }
    return receiveAnswer(response, { format: expected, signal: this.signal, onDelta: push }, this.trace)
  }

  async #record(answer: Promise<Answer>, options: RecordOptions, stream: ResponseStream) {
    const { target = this.#context.target, onCut = 'fail', isRetried } = options
    const { received, thrown, learnt } = await answer
    if (thrown && learnt) await this.#command({ do: 'learn', turn: this.number, learnt })
    if (thrown) throw thrown.error
    // The signal was aborted before the response was complete. How the model call ends after that does not matter.
    if (!received) {
      if (this.isInterrupted) return []
      throw this.signal.reason
    }
    const { reply, error } = received
    const isCut = reply.finish === 'cut' && !this.isInterrupted
    const isEmpty = reply.messages.length === 0
    if (isCut && (onCut === 'retry' || (isEmpty && (isRetried || onCut === 'continue')))) throw streamCutError(error)
    // The model has answered without the results of calls that were not started, so these calls will not be run.
    for (const call of [...this.#log.state.open.values()])
      if (call.startedAt === undefined && !call.parked) await this.#command(settleNotStarted(this.number, call.id))
    const recorded = responseOf(received, target, options)
    await this.#command({
      ...{ do: 'record', turn: this.number, response: recorded },
      endsWithMessage: !recorded.calls.some(({ answered }) => answered) || endsWithMessage(received),
      ...(error !== undefined && { error: errorData(error) }),
      ...(learnt && { learnt }),
      ...(onCut === 'continue' && { goesOn: true }),
    })
    stream.end()
    // The response may have ended the turn.
    if (!this.#lease.isHeld) this.#lease.release()
    if (reply.finish === 'cut' && !this.isInterrupted && onCut !== 'continue') throw streamCutError(error)
    return this.open ? this.calls : []
  }

  async #perform(
    call: CallHandle,
    execute: (context: ToolContext) => unknown,
    { timeoutMs = Infinity }: PerformOptions,
  ): Promise<Outcome> {
    if (!(await this.start(call))) return this.#currentOutcome(call)
    const { log, clock, settings } = this.#context
    const { outputBytesMax, graceMs } = settings
    const options = { log, clock, signal: this.signal, outputBytesMax, graceMs, timeoutMs }
    const outcome = await this.trace.tool(call, execute, traced => runTool(call, traced, options))
    try {
      return await settleWithRetry(() => this.settleAs(call, outcome))
    } catch (error) {
      if (!isTurnOver(error)) throw error
      // The tool ran, although another process owns the turn now: its result is stored as a late one.
      if (outcome.status !== 'made-up') await settleWithRetry(() => settleCall(log, call.id, outcome))
      if (isLost(error)) throw error
      return this.#currentOutcome(call)
    }
  }

  #currentOutcome({ id }: CallHandle): Outcome {
    const call = this.#log.state.calls.get(id)
    const placeholder = placeholderOutcome(call?.startedAt === undefined ? 'not-started' : 'running')
    return copyAsJson(call?.outcome ?? placeholder)
  }

  async #command(command: Command): Promise<Transition> {
    const transition = await this.#lease.write(() => this.#log.command(() => command, { epoch: this.epoch }))
    if (transition.entries.length > 0) this.#isLeftToOthers = this.isWaiting
    return transition
  }

  async #end(status: TurnStatus, error?: unknown): Promise<void> {
    const failure = error === undefined ? {} : { error: errorData(error) }
    await this.#command({ do: 'end', turn: this.number, status, ...failure })
    this.#lease.release()
  }

  #checkInterrupted(): void {
    const { turn } = this.#log.state
    if (turn?.turn !== this.number || !turn.interrupted || this.#windUp || this.signal.aborted) return
    const message = turn.interrupted.reason ?? 'the turn was interrupted'
    this.#lease.abort(new AntiphonError('interrupted', message, { turn: this.number }))
    this.#windUp = this.#endInterrupted().catch(error => {
      if (!isTurnOver(error)) throw error
    })
    // Disposing of the turn throws this error. A turn that is not disposed of must not cause an unhandled rejection.
    this.#windUp.catch(() => {})
  }

  /** Waits for running calls, at most for the grace period, and ends the turn. */
  async #endInterrupted(): Promise<void> {
    const { clock, settings } = this.#context
    await withTimeout(clock, settings.graceMs, Promise.allSettled(this.#busy))
    if (this.#lease.isHeld) await this.#end('interrupted')
  }
}

const isStarted = ({ startedAt }: JournalCall): boolean => startedAt !== undefined
