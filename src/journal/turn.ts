import type { CodecId } from '../codecs/index.ts'
import type { ReplyDelta } from '../codecs/shared/reply.ts'
import type { DialectId } from '../core/dialects/index.ts'
import { AntiphonError } from '../core/errors.ts'
import { type CallHandle, handlesOf } from './call.ts'
import { type Clock, within } from './clock.ts'
import type { Command } from './decide.ts'
import type { ErrorData, Outcome, TurnStatus } from './entry.ts'
import type { Call } from './fold.ts'
import { Heartbeat } from './heartbeat.ts'
import { fenced, type Log, type Transition } from './log.ts'
import { errorData, madeUp, outcomeOf, outcomeOfError } from './outcome.ts'
import { receive } from './receive.ts'
import { isRunnable } from './recover.ts'
import { asStored } from './render/as-stored.ts'
import type { Reader } from './render/render.ts'
import { responseOf, speaksLast } from './response.ts'
import { lastMoment } from './stores/times.ts'
import { silentTrace, type TurnTrace } from './tracing/turn-trace.ts'
import { abandoned, cut, ended, isOver, notATime, tooLong } from './turn-errors.ts'
import { aborted, untilAborted } from './until-aborted.ts'

/** What a turn needs of its thread. */
export interface TurnHost {
  readonly name: string
  readonly reader: Reader
  readonly settings: { leaseMs: number; graceMs: number; outputBytesMax: number; lateResults: 'note' | 'tell' }
  render(): unknown[]
  settleAs(callId: string, outcome: Outcome, owned?: { turn: number; epoch: number }): Promise<{ outcome: Outcome }>
}

export interface RecordOptions {
  /** The wire of the response, if it is not the thread's. */
  readonly format?: CodecId
  /** Who has answered, if it is not the thread's reader. */
  readonly for?: DialectId
  readonly model?: string
  /** Hears of every piece while it streams. */
  readonly onDelta?: (delta: ReplyDelta) => void
}

export interface PerformOptions {
  /** After this long the call is settled without its result. */
  readonly timeoutMs?: number
}

/** What a tool gets beside its arguments. */
export interface ToolContext {
  /** Aborted when the turn is interrupted or the time is over. */
  readonly signal: AbortSignal
  /** The same for every run of this call, and for no other call: for whoever makes effects happen once. */
  readonly key: string
  readonly callId: string
}

/**
 * A turn that this process owns. It renews its lease, hears of interruptions, and is the only one whose responses and
 * results the journal takes. When it is disposed of while it is open, its open calls are settled with the truth and it ends
 * as failed; if its owner has left it to somebody outside, it is parked, or handed over if that one has spoken meanwhile.
 * Whoever takes a turn disposes of it: until then it is kept, and so is the process, since it may be interrupted any time.
 */
export class Turn {
  readonly number: number
  readonly epoch: number
  /** What OpenTelemetry is told of it. `turn.trace.within(work)` puts the spans of the work below that of the turn. */
  readonly trace: TurnTrace
  readonly #host: TurnHost
  readonly #log: Log
  readonly #clock: Clock
  readonly #abort = new AbortController()
  readonly #heartbeat: Heartbeat
  readonly #forget: () => void
  /** Calls that an owner before this one has started, and that may run again: of all others recovery has made an end. */
  readonly #again: Set<string>
  readonly #performing = new Map<string, Promise<Outcome>>()
  readonly #recording = new Set<Promise<unknown>>()
  /** The last write of this owner left nothing to do but for somebody outside. */
  #isLeftToOthers = false
  #status: TurnStatus | undefined
  #lost: AntiphonError | undefined
  /** How it was to end: if that could not be written, it is when the turn is disposed of. */
  #ending: { readonly status: TurnStatus; readonly error: unknown } | undefined
  #windUp: Promise<void> | undefined

  constructor(
    host: TurnHost,
    { log, clock }: { log: Log; clock: Clock },
    turn: number,
    epoch: number,
    trace: TurnTrace = silentTrace,
  ) {
    this.trace = trace
    this.#host = host
    this.#log = log
    this.#clock = clock
    this.number = turn
    this.epoch = epoch
    this.#again = new Set([...log.state.open.values()].filter(isStarted).map(({ id }) => id))
    // Listened to also when the turn was given away: whoever ends it, it is known here how.
    const forgetEnd = log.listen(entries => {
      for (const entry of entries) if (entry.kind === 'turn-end' && entry.turn === turn) this.#status = entry.status
      if (this.#status) forgetEnd()
    })
    this.#forget = log.listen(entries => {
      if (entries.length > 0) this.#look()
      // Input was submitted by this very process: it may be meant for now, so nobody waits for the next heartbeat.
      else void log.catchUp().catch(() => {})
    })
    this.#heartbeat = new Heartbeat(clock, {
      leaseMs: host.settings.leaseMs,
      renew: () => log.renew(epoch, host.settings.leaseMs),
      look: () => log.catchUp(),
      lost: () => this.#stop(fenced(host.name, epoch, Math.max(log.state.epoch, epoch + 1))),
    })
    this.#look()
  }

  /** Aborted when the turn is interrupted, lost, or ended while something is at work. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Whether something is left to do for its owner: ask the model, or perform a call. */
  get open(): boolean {
    if (!this.#isMine || this.signal.aborted) return false
    const { open } = this.#log.state
    return open.size === 0 || [...open.values()].some(isRunnable)
  }

  /** Only somebody outside can bring it on. */
  get isWaiting(): boolean {
    const { open } = this.#log.state
    return this.#isMine && !this.signal.aborted && open.size > 0 && ![...open.values()].some(isRunnable)
  }

  get isInterrupted(): boolean {
    const { turn } = this.#log.state
    return turn?.turn === this.number ? turn.interrupted !== undefined : this.#status === 'interrupted'
  }

  /** Whether the user has spoken since the model did. */
  get isUnanswered(): boolean {
    return this.#log.state.items.findLast(({ kind }) => kind !== 'notes')?.kind === 'input'
  }

  /** How many responses it has. */
  get steps(): number {
    return this.#isMine ? (this.#log.state.turn?.steps ?? 0) : 0
  }

  /** How it ended, if it has. */
  get status(): TurnStatus | undefined {
    return this.#status
  }

  /** What the model is asked with. */
  get messages(): unknown[] {
    return this.#host.render()
  }

  /**
   * The calls that can be performed now: those of the last response, and those that an owner before this one left. Calls that
   * are at work are not among them.
   */
  get calls(): readonly CallHandle[] {
    const { state } = this.#log
    if (!this.#isMine) return []
    const calls = [...state.open.values()].filter(call => isRunnable(call) && !this.#isAtWork(call))
    return handlesOf(state, calls, this.#again)
  }

  /** Says what waits for the next step, if a step is over. Results that are settled do it by themselves. */
  async admit(): Promise<void> {
    await this.#command({ do: 'admit', turn: this.number, tellsNotes: this.#host.settings.lateResults === 'tell' })
  }

  /**
   * Records what the model answered, whole or as a stream, with all its calls or not at all, and gives back the calls that
   * are to be performed. A stream that breaks off ends the turn, and its error comes out here; after an interruption it is
   * part of that, and no error. Calls of the step before that nobody started are settled so.
   */
  async record(response: unknown, options: RecordOptions = {}): Promise<readonly CallHandle[]> {
    const recording = this.#record(response, options)
    this.#recording.add(recording)
    try {
      return await recording
    } catch (error) {
      // What is answered to a turn that was interrupted and is over comes too late.
      if (isOver(error) && error.code === 'turn-over' && this.isInterrupted) return []
      throw error
    } finally {
      this.#recording.delete(recording)
    }
  }

  /** The model could not be asked: the turn ends with the error. After an interruption it ends as interrupted. */
  fail(error: unknown): Promise<void> {
    return this.finish('failed', error)
  }

  /** Writes down that the call runs. False if it has a result already, or runs, or the turn was interrupted: then it must not be run. */
  async start(call: CallHandle): Promise<boolean> {
    const again = this.#again.has(call.id)
    const { draft } = await this.#command({ do: 'start', turn: this.number, call: call.id, again })
    if (draft.why === 'waiting')
      throw new AntiphonError('not-approved', `call ${call.id} of ${call.name} waits for somebody outside`, {
        hint: 'approve or settle it first',
      })
    return draft.why === undefined || (draft.why === 'nothing' && this.#again.delete(call.id))
  }

  /** Gives a call its one result; if it has one already, that one comes back. */
  async settle(call: { readonly id: string }, output: unknown): Promise<Outcome> {
    return this.settleAs(call, outcomeOf(output, this.#host.settings.outputBytesMax))
  }

  /** The same with an outcome that is known: an error, or a placeholder. */
  async settleAs({ id }: { readonly id: string }, outcome: Outcome): Promise<Outcome> {
    const owned = { turn: this.number, epoch: this.epoch }
    const stored = await this.#asOwner(() => this.#host.settleAs(id, outcome, owned))
    this.#isLeftToOthers = this.isWaiting
    return stored.outcome
  }

  /**
   * Starts the call, runs it, and settles it with what came of it. Whatever the tool does ends in a result: it throws, it
   * takes too long, it ignores its signal, it gives back what is no JSON. A call that has a result is not run, and of one
   * that is being performed the same outcome comes.
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

  /** Lets a call wait for a decision or for a result from outside, for so long, or for ever. */
  async parkCall(call: CallHandle, why: 'approval' | 'outside', expiresMs = Infinity): Promise<void> {
    if (!(expiresMs >= 0)) throw notATime(expiresMs)
    const until = Math.ceil((await this.#log.now()) + expiresMs)
    const expiry = until <= lastMoment ? { until } : {}
    await this.#command({ do: 'park-call', turn: this.number, call: call.id, why, ...expiry })
  }

  /** Gives the thread back while somebody outside decides. False if there is something to do after all. */
  async park(): Promise<boolean> {
    const { entries } = await this.#command({ do: 'park', turn: this.number })
    if (entries.length > 0) this.#leave()
    return entries.length > 0
  }

  /** Gives the turn to whoever takes it next. It is refused while a call is at work: nobody could go on with that. */
  async handOver(): Promise<void> {
    const again = new Set([...this.#again].filter(id => !this.#performing.has(id)))
    await this.#command({ do: 'hand-over', turn: this.number, again })
    this.#leave()
  }

  /**
   * Ends the turn. Calls that are still open are settled with the truth; of those that are at work the results come late.
   * After an interruption it ends as interrupted, and what is at work is waited for.
   */
  async finish(status: TurnStatus = 'done', error?: unknown): Promise<void> {
    this.#ending ??= { status, error }
    if (this.#windUp) {
      await this.#windUp.catch(() => {})
      // Its end could not be written then: perhaps it can be now.
      if (this.#isMine) await this.#end('interrupted')
      return
    }
    if (this.#busy.length > 0) this.#abort.abort(ended(this.number))
    await this.#end(status, error)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#giveBack()
    } catch (error) {
      if (!isOver(error)) throw error
    } finally {
      this.#leave()
    }
  }

  async #giveBack(): Promise<void> {
    if (!this.#isMine) return this.#windUp
    const isLeftToOthers = (this.isWaiting || this.#isLeftToOthers) && this.#performing.size === 0
    const { status, error } = this.#ending ?? { status: 'failed', error: abandoned }
    if (!isLeftToOthers || this.#ending || this.isInterrupted) return this.finish(status, error)
    // Somebody outside may have spoken in the last moment: then there is something to do, for whoever comes next.
    if (!(await this.park())) await (this.#windUp ?? this.handOver())
  }

  get #isMine(): boolean {
    const { state } = this.#log
    return state.turn?.turn === this.number && state.epoch === this.epoch && !state.turn.parked
  }

  /** Tools that are at work, and model calls that are being recorded. */
  get #busy(): Promise<unknown>[] {
    return [...this.#performing.values(), ...this.#recording]
  }

  #isAtWork(call: Call): boolean {
    return this.#performing.has(call.id) || (isStarted(call) && !this.#again.has(call.id))
  }

  async #record(response: unknown, options: RecordOptions): Promise<readonly CallHandle[]> {
    const { reader } = this.#host
    const { signal } = this
    const answer = await untilAborted(signal, Promise.resolve(response)).catch(error => {
      if (signal.aborted) return aborted
      throw error
    })
    // Nobody waits for a model that does not hear that it was stopped, and one that does may fail because of it.
    if (answer === aborted) {
      if (this.isInterrupted) return []
      throw signal.reason
    }
    const { format = reader.format, onDelta } = options
    const received = await this.trace.receive(() => receive(answer, { format, signal, ...(onDelta && { onDelta }) }))
    await this.#settleUnstarted()
    const { reply, error } = received
    const kept = responseOf(received, reader, options)
    await this.#command({
      ...{ do: 'record', turn: this.number, response: kept },
      speaksLast: !kept.calls.some(({ answered }) => answered) || speaksLast(received),
      ...(error === undefined ? {} : { error: errorData(error) }),
    })
    if (!this.#isMine) this.#leave()
    if (reply.finish === 'cut' && !this.isInterrupted) throw cut(error)
    return this.open ? this.calls : []
  }

  async #perform(
    call: CallHandle,
    execute: (context: ToolContext) => unknown,
    { timeoutMs }: PerformOptions,
  ): Promise<Outcome> {
    if (!(await this.start(call))) return this.#outcomeSoFar(call)
    const outcome = await this.trace.tool(call, execute, traced => this.#run(call, traced, timeoutMs))
    try {
      return await twice(() => this.settleAs(call, outcome))
    } catch (error) {
      if (!isOver(error)) throw error
      // The effect has happened, whoever owns the turn now: what came of it is not lost, it comes late.
      if (outcome.status !== 'made-up') await twice(() => this.#host.settleAs(call.id, outcome))
      if (error.code === 'fenced') throw error
      return this.#outcomeSoFar(call)
    }
  }

  #outcomeSoFar({ id }: CallHandle): Outcome {
    const call = this.#log.state.calls.get(id)
    return asStored(call?.outcome ?? madeUp(call?.startedAt === undefined ? 'not-started' : 'running'))
  }

  async #run(call: CallHandle, execute: (context: ToolContext) => unknown, timeoutMs = Infinity): Promise<Outcome> {
    const { outputBytesMax, graceMs } = this.#host.settings
    const timer = new AbortController()
    const cancel =
      timeoutMs === Infinity ? () => {} : this.#clock.after(timeoutMs, () => timer.abort(tooLong(timeoutMs)))
    const signal = AbortSignal.any([this.signal, timer.signal])
    const stopped = (): Outcome =>
      timer.signal.aborted ? madeUp('interrupted', tooLong(timeoutMs).message) : madeUp('interrupted')
    const work = (async () => execute({ signal, key: call.id, callId: call.id }))()
    const settled = work.then(
      output => outcomeOf(output, outputBytesMax),
      error => (signal.aborted ? stopped() : outcomeOfError(error, outputBytesMax)),
    )
    const elsewhere = this.#resultFromElsewhere(call.id)
    const result = Promise.race([settled, elsewhere.outcome])
    try {
      const first = await untilAborted(signal, result)
      // Nobody waits for a tool any longer: at once when its time is over, after the grace period when the turn is.
      const isGraced = first === aborted && !timer.signal.aborted
      const given = isGraced ? await within(this.#clock, graceMs, result, timer.signal) : first
      const outcome = given === undefined || given === aborted ? stopped() : given
      if (outcome.status === 'made-up') this.#keepLate(call.id, work)
      return outcome
    } finally {
      cancel()
      elsewhere.forget()
    }
  }

  /** Somebody else may give the call its result while the tool is at work: then nobody waits for the tool any longer. */
  #resultFromElsewhere(callId: string): { outcome: Promise<Outcome>; forget(): void } {
    let forget = (): void => {}
    const outcome = new Promise<Outcome>(resolve => {
      forget = this.#log.listen(() => {
        const stored = this.#log.state.calls.get(callId)?.outcome
        if (stored) resolve(stored)
      })
    })
    return { outcome, forget }
  }

  /** A tool that nobody waits for may still end: its real result beats the placeholder. */
  #keepLate(callId: string, work: Promise<unknown>): void {
    const { outputBytesMax } = this.#host.settings
    work.then(output => twice(() => this.#host.settleAs(callId, outcomeOf(output, outputBytesMax)))).catch(() => {})
  }

  /** The model goes on without them, so nobody will run them. */
  async #settleUnstarted(): Promise<void> {
    for (const call of [...this.#log.state.open.values()])
      if (call.startedAt === undefined && !call.parked) await this.#command(neverStarted(this.number, call.id))
  }

  async #command(command: Command): Promise<Transition> {
    const transition = await this.#asOwner(() => this.#log.command(() => command, { epoch: this.epoch }))
    if (transition.entries.length > 0) this.#isLeftToOthers = this.isWaiting
    return transition
  }

  /** A write that is refused since the turn is somebody else's, or over, is the last one. */
  async #asOwner<T>(write: () => Promise<T>): Promise<T> {
    if (this.#lost) throw this.#lost
    try {
      return await write()
    } catch (error) {
      if (isOver(error)) this.#stop(error)
      throw error
    }
  }

  async #end(status: TurnStatus, error?: unknown): Promise<void> {
    const data: ErrorData | undefined = error === undefined ? undefined : errorData(error)
    await this.#command({ do: 'end', turn: this.number, status, ...(data && { error: data }) })
    this.#leave()
  }

  /** Something was written: perhaps an interruption, or another owner. */
  #look(): void {
    const { turn, epoch } = this.#log.state
    if (epoch > this.epoch) this.#stop(fenced(this.#host.name, this.epoch, epoch))
    else if (turn?.turn === this.number && turn.interrupted) this.#interrupt(turn.interrupted.reason)
  }

  #interrupt(reason: string | undefined): void {
    if (this.#windUp || this.signal.aborted) return
    this.#abort.abort(new AntiphonError('interrupted', reason ?? 'the turn was interrupted', { turn: this.number }))
    this.#windUp = this.#interrupted().catch(error => {
      if (!isOver(error)) throw error
    })
    // Whoever disposes of the turn hears of it; without one there is nobody to tell.
    this.#windUp.catch(() => {})
  }

  /** Waits for what is at work, at most for the grace period, and ends the turn. */
  async #interrupted(): Promise<void> {
    await within(this.#clock, this.#host.settings.graceMs, Promise.allSettled(this.#busy))
    if (this.#isMine) await this.#end('interrupted')
  }

  #stop(reason: AntiphonError): void {
    if (reason.code === 'fenced') this.#lost ??= reason
    this.#abort.abort(reason)
    this.#leave()
  }

  #leave(): void {
    this.trace.leave(this.#lost ?? this.signal.reason)
    this.#forget()
    this.#heartbeat.stop()
  }
}

const isStarted = ({ startedAt }: Call): boolean => startedAt !== undefined

/** The model has answered already: nothing is said before that. */
const neverStarted = (turn: number, call: string): Command => ({
  ...{ do: 'settle', turn, call, outcome: madeUp('not-started'), admits: false },
})

/** A store may fail for a moment. A call has one result, so that the same one can be offered again. */
async function twice<T>(settle: () => Promise<T>): Promise<T> {
  try {
    return await settle()
  } catch (error) {
    if (isOver(error)) throw error
    return settle()
  }
}
