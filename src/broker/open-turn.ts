import type { CodecId } from '../codecs/index.ts'
import type { ReplyDelta } from '../codecs/reply.ts'
import { AntiphonError } from '../errors.ts'
import type { ErrorData, Outcome, RecordedCall, ResponseRecord, TurnStatus } from '../journal/entry.ts'
import type { ThreadState } from '../journal/fold.ts'
import { packBytes } from './bytes.ts'
import { type CallHandle, handlesOf } from './call.ts'
import { type Clock, sleep } from './clock.ts'
import { Heartbeat } from './heartbeat.ts'
import type { Log, Transition } from './log.ts'
import { errorData, madeUp, outcomeOf, outcomeOfError } from './outcome.ts'
import { receive } from './receive.ts'
import { isRunnable } from './recover.ts'
import { answeredCalls, type Reader } from './render.ts'
import type { Command } from './turn.ts'

/** What a turn needs of its thread. */
export interface TurnHost {
  readonly name: string
  readonly reader: Reader
  readonly settings: { leaseMs: number; graceMs: number; outputBytesMax: number; lateResults: 'note' | 'tell' }
  render(state: ThreadState): unknown[]
  settleAs(callId: string, outcome: Outcome, owned?: { turn: number; epoch: number }): Promise<{ outcome: Outcome }>
}

export interface RecordOptions {
  /** The wire of the response, if it is not the thread's. */
  readonly format?: CodecId
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
 * as failed; if it only waits for somebody outside, it is parked.
 */
export class Turn {
  readonly number: number
  readonly epoch: number
  readonly #host: TurnHost
  readonly #log: Log
  readonly #clock: Clock
  readonly #abort = new AbortController()
  readonly #heartbeat: Heartbeat
  readonly #forget: () => void
  /** Tools that are at work, and model calls that are being recorded. */
  readonly #busy = new Set<Promise<unknown>>()
  #windUp: Promise<void> | undefined

  constructor(host: TurnHost, { log, clock }: { log: Log; clock: Clock }, turn: number, epoch: number) {
    this.#host = host
    this.#log = log
    this.#clock = clock
    this.number = turn
    this.epoch = epoch
    this.#forget = log.listen(entries => {
      if (entries.length > 0) this.#look()
      // Input was submitted by this very process: it may be meant for now, so nobody waits for the next heartbeat.
      else void log.catchUp().catch(() => {})
    })
    this.#heartbeat = new Heartbeat(clock, {
      leaseMs: host.settings.leaseMs,
      renew: () => log.renew(epoch, host.settings.leaseMs),
      look: () => log.catchUp(),
      lost: error => this.#stop(error),
    })
    this.#look()
  }

  /** Aborted when the turn is interrupted or lost. */
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
    const { turn, ended } = this.#log.state
    if (turn?.turn === this.number) return turn.interrupted !== undefined
    return ended?.turn === this.number && ended.status === 'interrupted'
  }

  /** How many responses it has. */
  get steps(): number {
    return this.#isMine ? (this.#log.state.turn?.steps ?? 0) : 0
  }

  /** How it ended, if it has. */
  get status(): TurnStatus | undefined {
    const { ended } = this.#log.state
    return ended?.turn === this.number ? ended.status : undefined
  }

  /** What the model is asked with. */
  get messages(): unknown[] {
    return this.#host.render(this.#log.state)
  }

  /** The calls that can be performed now: those of the last response, and those that an owner before this one left. */
  get calls(): readonly CallHandle[] {
    const { state } = this.#log
    return this.#isMine ? handlesOf(state, [...state.open.values()].filter(isRunnable)) : []
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
    try {
      return await this.#while(this.#record(response, options))
    } catch (error) {
      // What is answered to a turn that was interrupted and is over comes too late.
      if (isOver(error) && error.code === 'turn-over' && this.isInterrupted) return []
      throw error
    }
  }

  /** The model could not be asked: the turn ends with the error. After an interruption it ends as interrupted. */
  async fail(error: unknown): Promise<void> {
    if (this.isInterrupted) await this.#interrupted()
    else await this.finish('failed', error)
  }

  /** Writes down that the call runs. False if it has a result already, or runs, or the turn was interrupted: then it must not be run. */
  async start(call: CallHandle): Promise<boolean> {
    const { draft } = await this.#command({ do: 'start', turn: this.number, call: call.id, again: call.again })
    if (draft.why === 'waiting')
      throw new AntiphonError('not-approved', `call ${call.id} of ${call.name} waits for somebody outside`, {
        hint: 'approve or settle it first',
      })
    return draft.entries.length > 0 || draft.why === 'nothing'
  }

  /** Gives a call its one result; if it has one already, that one comes back. */
  async settle(call: { readonly id: string }, output: unknown): Promise<Outcome> {
    return this.settleAs(call, outcomeOf(output, this.#host.settings.outputBytesMax))
  }

  /** The same with an outcome that is known: an error, or a placeholder. */
  async settleAs({ id }: { readonly id: string }, outcome: Outcome): Promise<Outcome> {
    const owned = { turn: this.number, epoch: this.epoch }
    const stored = await this.#asOwner(this.#host.settleAs(id, outcome, owned))
    return stored.outcome
  }

  /**
   * Starts the call, runs it, and settles it with what came of it. Whatever the tool does ends in a result: it throws, it
   * takes too long, it ignores its signal, it gives back what is no JSON. A call that has a result is not run.
   */
  async perform(
    call: CallHandle,
    execute: (context: ToolContext) => unknown,
    options: PerformOptions = {},
  ): Promise<Outcome> {
    return this.#while(this.#perform(call, execute, options))
  }

  /** Lets a call wait for a decision or for a result from outside, for ever or for so long. */
  async parkCall(call: CallHandle, why: 'approval' | 'outside', expiresMs?: number): Promise<void> {
    const until = expiresMs === undefined ? {} : { until: (await this.#log.now()) + expiresMs }
    await this.#command({ do: 'park-call', turn: this.number, call: call.id, why, ...until })
  }

  /** Gives the thread back while somebody outside decides. False if there is something to do after all. */
  async park(): Promise<boolean> {
    const { entries } = await this.#command({ do: 'park', turn: this.number })
    if (entries.length > 0) this.#leave()
    return entries.length > 0
  }

  /** Gives the turn to whoever takes it next. Calls that are at work would be lost to it: only between two steps. */
  async handOver(): Promise<void> {
    await this.#command({ do: 'hand-over', turn: this.number })
    this.#leave()
  }

  /** Ends the turn. Calls that are still open are settled with the truth. */
  async finish(status: TurnStatus = 'done', error?: unknown): Promise<void> {
    const data: ErrorData | undefined = error === undefined ? undefined : errorData(error)
    await this.#command({ do: 'end', turn: this.number, status, ...(data && { error: data }) })
    this.#leave()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (this.#windUp) await this.#windUp
      else if (this.#isMine && this.isInterrupted) await this.#interrupted()
      else if (this.#isMine && !(this.isWaiting && (await this.park()))) await this.finish('failed', abandoned)
    } catch (error) {
      if (!isOver(error)) throw error
    } finally {
      this.#leave()
    }
  }

  get #isMine(): boolean {
    const { state } = this.#log
    return state.turn?.turn === this.number && state.epoch === this.epoch && !state.turn.parked
  }

  async #record(response: unknown, options: RecordOptions): Promise<readonly CallHandle[]> {
    const { reader } = this.#host
    const expected = options.format ?? reader.format
    // Nobody waits for a model that does not hear that it was interrupted, and one that does may fail because of it.
    const given = Promise.resolve(response).catch(error => {
      if (this.isInterrupted) return nothing
      throw error
    })
    const answer = await Promise.race([given, aborted(this.signal).then(() => nothing)])
    if (answer === nothing) return []
    const received = await receive(answer, {
      ...{ format: expected, signal: this.signal },
      ...(options.onDelta && { onDelta: options.onDelta }),
    })
    const { reply, format, error } = received
    await this.#settleUnstarted()
    const model = reply.model ?? options.model ?? reader.model
    const recorded: Omit<ResponseRecord, 'kind' | 'turn'> = {
      ...{ format, dialect: reader.dialect, finish: reply.finish, messages: packBytes(reply.messages) as unknown[] },
      calls: recordedCalls(format, reply.messages),
      ...(model === undefined ? {} : { model }),
      ...(reply.left && { left: packBytes(reply.left) as unknown[] }),
      ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    }
    const failure = error === undefined ? {} : { error: errorData(error) }
    await this.#command({ do: 'record', turn: this.number, response: recorded, ...failure })
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
    const outcome = await this.#run(call, execute, timeoutMs)
    try {
      return await this.settleAs(call, outcome)
    } catch (error) {
      if (!isOver(error)) throw error
      // The effect has happened, whoever owns the turn now: what came of it is not lost, it comes late.
      if (outcome.status !== 'made-up') await this.#host.settleAs(call.id, outcome)
      if (error.code === 'fenced') throw error
      return this.#outcomeSoFar(call)
    }
  }

  #outcomeSoFar({ id }: CallHandle): Outcome {
    const call = this.#log.state.calls.get(id)
    return call?.outcome ?? madeUp(call?.startedAt === undefined ? 'not-started' : 'running')
  }

  async #run(call: CallHandle, execute: (context: ToolContext) => unknown, timeoutMs?: number): Promise<Outcome> {
    const { outputBytesMax } = this.#host.settings
    const timer = new AbortController()
    const cancel =
      timeoutMs === undefined ? () => {} : this.#clock.after(timeoutMs, () => timer.abort(tooLong(timeoutMs)))
    const signal = AbortSignal.any([this.signal, timer.signal])
    const work = (async () => execute({ signal, key: call.id, callId: call.id }))()
    const settled = work.then(
      output => outcomeOf(output, outputBytesMax),
      error => (signal.aborted ? this.#stopped(timer.signal, timeoutMs) : outcomeOfError(error, outputBytesMax)),
    )
    const elsewhere = this.#resultFromElsewhere(call.id)
    try {
      return await Promise.race([settled, this.#givenUp(timer.signal, timeoutMs), elsewhere.outcome])
    } finally {
      cancel()
      elsewhere.forget()
      this.#keepLate(call.id, work, signal)
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

  /** When nobody waits for a tool any longer: at once when its time is over, after the grace period when the turn is. */
  async #givenUp(timer: AbortSignal, timeoutMs: number | undefined): Promise<Outcome> {
    await Promise.race([
      aborted(timer),
      aborted(this.signal).then(() => sleep(this.#clock, this.#host.settings.graceMs)),
    ])
    return this.#stopped(timer, timeoutMs)
  }

  #stopped(timer: AbortSignal, timeoutMs: number | undefined): Outcome {
    return timer.aborted ? madeUp('interrupted', tooLong(timeoutMs).message) : madeUp('interrupted')
  }

  /** A tool that was given up may still end: its real result beats the placeholder. */
  #keepLate(callId: string, work: Promise<unknown>, signal: AbortSignal): void {
    if (!signal.aborted) return
    const { outputBytesMax } = this.#host.settings
    work.then(output => this.#host.settleAs(callId, outcomeOf(output, outputBytesMax))).catch(() => {})
  }

  /** The model goes on without them, so nobody will run them. */
  async #settleUnstarted(): Promise<void> {
    for (const call of [...this.#log.state.open.values()])
      if (call.startedAt === undefined && !call.parked) await this.#command(neverStarted(this.number, call.id))
  }

  #command(command: Command): Promise<Transition> {
    return this.#asOwner(this.#log.command(() => command, { epoch: this.epoch }))
  }

  /** A write that is refused since the turn is somebody else's, or over, is the last one. */
  async #asOwner<T>(write: Promise<T>): Promise<T> {
    try {
      return await write
    } catch (error) {
      if (isOver(error)) this.#stop(error)
      throw error
    }
  }

  async #while<T>(work: Promise<T>): Promise<T> {
    this.#busy.add(work)
    try {
      return await work
    } finally {
      this.#busy.delete(work)
    }
  }

  /** Something was written: perhaps an interruption, or another owner. */
  #look(): void {
    const { turn, epoch } = this.#log.state
    if (epoch > this.epoch) this.#stop(new AntiphonError('fenced', `thread ${this.#host.name} has another owner now`))
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
    const { graceMs } = this.#host.settings
    const atWork = Promise.allSettled([...this.#busy])
    await Promise.race([atWork, sleep(this.#clock, graceMs)])
    if (this.#isMine) await this.finish('interrupted')
  }

  #stop(reason: unknown): void {
    this.#abort.abort(reason)
    this.#leave()
  }

  #leave(): void {
    this.#forget()
    this.#heartbeat.stop()
  }
}

const nothing = Symbol('nothing')

function recordedCalls(format: CodecId, messages: readonly unknown[]): RecordedCall[] {
  return answeredCalls(format, messages).map(({ part: { id, name }, isAnswered }) => ({
    ...{ id, name },
    ...(isAnswered ? { answered: true as const } : {}),
  }))
}

/** The model has answered already: nothing is said before that. */
const neverStarted = (turn: number, call: string): Command => ({
  ...{ do: 'settle', turn, call, outcome: madeUp('not-started'), admits: false },
})

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The turn is nobody's business here any more. */
const isOver = (error: unknown): error is AntiphonError =>
  AntiphonError.is(error) && (error.code === 'fenced' || error.code === 'turn-over')

const tooLong = (timeoutMs = 0): Error => new Error(`it gave no result within ${timeoutMs} ms`)

function cut(error: unknown): Error {
  if (error instanceof Error) return error
  return new AntiphonError('stream-cut', 'the stream of the model broke off', {
    hint: 'its words are recorded, its calls are not; take the next turn to go on',
    cause: error,
  })
}

const abandoned = { name: 'TurnAbandoned', message: 'the turn was left before it was over' }
