import { type CodecId, codecs } from '../codecs/index.ts'
import type { DialectId } from '../core/dialects/index.ts'
import { AntiphonError } from '../core/errors.ts'
import type { Telemetry } from '../observe/telemetry/telemetry.ts'
import { packBytes } from './bytes.ts'
import { type CallHandle, handlesOf } from './call.ts'
import { type Clock, sleep } from './clock.ts'
import { type Command, nextRest } from './decide.ts'
import { digestOf } from './digest.ts'
import type { Entry, InputSubmit, Outcome, TurnStatus } from './entry.ts'
import type { Call, ThreadState } from './fold.ts'
import { KnownInputError, LeasedError, type Log } from './log.ts'
import { mustBeName } from './name.ts'
import { failed, outcomeOf } from './outcome.ts'
import { isRunnable, type Recovery, recover } from './recover.ts'
import { asStored } from './render/as-stored.ts'
import { type Reader, Renderer, readerFor } from './render/render.ts'
import type { KnownInput } from './stores/store.ts'
import { silentTrace, type Taken, type TurnTrace, traceTurn } from './tracing/turn-trace.ts'
import { Turn, type TurnHost } from './turn.ts'
import { type WatchOptions, watch } from './watch.ts'

export interface ThreadOptions {
  /** Who reads the conversation; `openai` by default. */
  readonly for?: DialectId
  /** The wire, if it is not the provider's own. */
  readonly format?: CodecId
  readonly model?: string
  /** How long an owner that says nothing keeps the thread. */
  readonly leaseMs?: number
  /** A call that was never started and is older than this is not run after a crash. */
  readonly staleMs?: number
  /** How long tools have to end after an interruption. */
  readonly graceMs?: number
  /** What is kept of the output of one call. */
  readonly outputBytesMax?: number
  /** Results that come too late to take their place: kept as notes, or also told to the model as quoted data. */
  readonly lateResults?: 'note' | 'tell'
}

export interface SubmitOptions {
  /** The same key with the same content is the same input, however often it is submitted. */
  readonly key?: string
  /** While a turn runs: wait for the next one, be said at the next step, interrupt it, or fail. */
  readonly whenBusy?: 'queue' | 'steer' | 'interrupt' | 'reject'
  /** While calls wait for a decision: wait for it too, or deny them and speak. */
  readonly whenApproving?: 'queue' | 'deny'
}

/** The proof that input was accepted, and where it stands. */
export interface Receipt {
  readonly thread: string
  readonly key?: string
  readonly seq: number
}

export interface TurnOptions {
  /** How long to wait for another owner. */
  readonly waitMs?: number
  readonly signal?: AbortSignal
  /** Whether a tool may run a second time with the same key after a crash. */
  readonly isSafe?: (tool: string) => boolean
}

/** What somebody decided about a call; `isFirst` if it was this decision that counted. */
export interface Verdict {
  readonly isFirst: boolean
  readonly status: 'approved' | 'denied' | 'expired' | 'started' | 'settled'
  readonly reason?: string
}

/** The one result of a call; `isFirst` if it was this one. */
export interface Settlement {
  readonly isFirst: boolean
  /** It came when a placeholder stood in its place. */
  readonly isLate: boolean
  readonly outcome: Outcome
}

export interface ThreadStatus {
  readonly state: 'idle' | 'waiting' | 'running' | 'parked'
  readonly turn?: number
  readonly last?: { readonly turn: number; readonly status: TurnStatus }
  readonly waiting: number
  readonly openCalls: number
}

/** What a thread shares with the journal it stands in. */
export interface ThreadContext {
  readonly log: Log
  readonly clock: Clock
  readonly owner: string
  readonly telemetry?: Telemetry | undefined
}

/** One conversation in the journal. Everything but `turn` needs no lease, and may come from any process. */
export class Thread {
  readonly name: string
  readonly reader: Reader
  readonly settings: Required<Omit<ThreadOptions, 'for' | 'format' | 'model'>>
  readonly #context: ThreadContext
  readonly #renderers = new Map<string, Renderer>()

  constructor(context: ThreadContext, options: ThreadOptions = {}) {
    this.#context = context
    this.name = context.log.name
    this.reader = readerFor(options.for ?? 'openai', options.format, options.model)
    this.settings = {
      leaseMs: options.leaseMs ?? 15_000,
      staleMs: options.staleMs ?? 15 * 60_000,
      graceMs: options.graceMs ?? 5_000,
      outputBytesMax: options.outputBytesMax ?? 1_000_000,
      lateResults: options.lateResults ?? 'note',
    }
  }

  /** Accepts input, durably: words, or a user message as the thread's wire has it. */
  async submit(content: unknown, options: SubmitOptions = {}): Promise<Receipt> {
    const { key, whenBusy = 'queue', whenApproving = 'queue' } = options
    if (key !== undefined) mustBeName(key, 'the key of an input')
    const { log } = this.#context
    const entry: InputSubmit = {
      kind: 'input-submit',
      ...(key === undefined ? {} : { key }),
      ...this.#checked(content),
      when: whenBusy === 'reject' ? 'queue' : whenBusy,
    }
    const digest = digestOf(entry.content)
    const input = key === undefined ? {} : { input: { key, digest } }
    const receipt = (seq: number): Receipt => ({ thread: this.name, ...(key === undefined ? {} : { key }), seq })
    const known = (before: KnownInput): Receipt => {
      if (before.digest === digest) return receipt(before.seq)
      throw new AntiphonError('key-taken', `another input was submitted under the key ${key}`, {
        hint: 'a key stands for one input: make a new one for new words',
        thread: this.name,
        seq: before.seq,
      })
    }
    if (whenApproving === 'deny' && whenBusy !== 'reject') {
      try {
        const { entries } = await log.command(() => ({ do: 'speak', input: entry }), input)
        return receipt(entries[entries.length - 1].seq)
      } catch (error) {
        if (error instanceof KnownInputError) return known(error.known)
        throw error
      }
    }
    const alone = whenBusy === 'reject' ? ({ onlyIf: 'idle', state: 'running' } as const) : {}
    const written = await log.submit(entry, { ...input, ...alone, dueAt: 'now' })
    if (written.ok) return receipt(written.head)
    if (written.known) return known(written.known)
    throw new AntiphonError('thread-busy', `thread ${this.name} is busy`, {
      hint: 'wait for the turn to end, or submit with another whenBusy',
      thread: this.name,
    })
  }

  /** Takes the thread, if there is something to do and nobody else has it. Whoever has it is the only one who can go on. */
  async turn({ waitMs = 0, signal, isSafe = () => false }: TurnOptions = {}): Promise<Turn | undefined> {
    const { log, clock, owner } = this.#context
    const { leaseMs } = this.settings
    const recovery = this.#recovery(isSafe)
    const deadline = clock.now() + waitMs
    let leftMs = waitMs
    while (!signal?.aborted) {
      try {
        const now = await log.now()
        let wasParked = false
        const begin = (): Command => {
          wasParked = log.state.turn?.parked === true
          return { do: 'begin', now, recovery }
        }
        const { entries, epoch } = await log.command(begin, { lease: { owner, ms: leaseMs } })
        if (entries.length === 0) return undefined
        const trace = this.#trace({ entries, epoch, wasParked })
        const { turn } = log.state
        if (turn) return new Turn(this.#host, this.#context, turn.turn, epoch, trace)
        // An interrupted turn without an owner was only brought to its end.
        trace.leave(undefined)
      } catch (error) {
        if (!(error instanceof LeasedError)) throw error
        // A clock that is set back meanwhile must not make the wait longer.
        leftMs = Math.min(leftMs, deadline - clock.now())
        if (leftMs <= 0) return undefined
        const pauseMs = Math.min(leftMs, pollMs)
        await sleep(clock, pauseMs, signal)
        leftMs -= pauseMs
        await log.catchUp()
      }
    }
    return undefined
  }

  /** Lets a call run that waits for it. The first decision counts, and a second one learns it. */
  approve(callId: string, reason?: string): Promise<Verdict> {
    return this.#decide(callId, true, reason)
  }

  /** Settles a call that waits for a decision: it does not run. */
  deny(callId: string, reason?: string): Promise<Verdict> {
    return this.#decide(callId, false, reason)
  }

  /** Gives a call its result from outside. A second result learns the first. */
  async settle(callId: string, output: unknown, { error = false } = {}): Promise<Settlement> {
    const { outputBytesMax } = this.settings
    const outcome = outcomeOf(output, outputBytesMax)
    return this.#settleAs(callId, error ? { ...outcome, status: 'error' } : outcome)
  }

  /** Stops the turn that is named, or the one that runs. Without one it does nothing, and says so. */
  async interrupt(
    reason?: string,
    { turn }: { turn?: number } = {},
  ): Promise<{ isInterrupted: boolean; turn?: number }> {
    const { log } = this.#context
    await log.catchUp()
    const running = log.state.turn?.turn
    const { entries } = await log.command(() => ({
      do: 'interrupt',
      ...(turn === undefined ? {} : { turn }),
      ...(reason === undefined ? {} : { reason }),
    }))
    const [entry] = entries
    if (entry?.kind === 'turn-interrupt') return { isInterrupted: true, turn: entry.turn }
    return { isInterrupted: false, ...(running === undefined ? {} : { turn: running }) }
  }

  /** The conversation so far, as its reader takes it, or as another one does. Calls that are open say so. */
  async messages(options: { for?: DialectId; format?: CodecId; model?: string } = {}): Promise<unknown[]> {
    await this.#context.log.catchUp()
    const { for: dialect, format, model } = options
    return this.#render(dialect || format || model ? this.#readerFor(options) : this.reader)
  }

  watch(options: WatchOptions = {}): AsyncGenerator<Entry> {
    return watch(this.#context.log, this.#context.clock, options)
  }

  /** Hears of what is taken in by this process, from now on. */
  listen(listener: (entries: readonly Entry[], state: ThreadState) => void): () => void {
    const { log } = this.#context
    return log.listen(entries => {
      if (entries.length > 0) listener(entries, log.state)
    })
  }

  /** Tells the journal when there is something to do next, where a worker found nothing. */
  async rest(): Promise<void> {
    await this.#context.log.postpone(nextRest)
  }

  /** The calls that whoever takes the turn now would run. */
  async callsToRun(isSafe: (tool: string) => boolean): Promise<readonly CallHandle[]> {
    const state = await this.#context.log.catchUp()
    if (!state.turn || state.turn.interrupted) return []
    const settled = recover(state, await this.#context.log.now(), this.#recovery(isSafe)) ?? []
    const over = new Set(settled.map(({ call }) => call))
    return handlesOf(
      state,
      [...state.open.values()].filter(call => isRunnable(call) && !over.has(call)),
    )
  }

  /** The calls without a result. */
  async openCalls(): Promise<readonly (CallHandle & Pick<Call, 'parked' | 'decision'>)[]> {
    const state = await this.#context.log.catchUp()
    const calls = [...state.open.values()]
    return handlesOf(state, calls).map((handle, index) => {
      const { parked, decision } = calls[index]
      return { ...handle, ...(parked && { parked }), ...(decision && { decision }) }
    })
  }

  /** Results that came too late to take their place. */
  async notes(): Promise<readonly { callId: string; name: string; outcome: Outcome; at: number; told: boolean }[]> {
    const { notes } = await this.#context.log.catchUp()
    return notes.map(({ call, outcome, at, told }) => ({
      ...{ callId: call.id, name: call.name, outcome: asStored(outcome), at, told },
    }))
  }

  async status(): Promise<ThreadStatus> {
    const { turn, ended, waiting, open } = await this.#context.log.catchUp()
    const state = turn ? (turn.parked ? 'parked' : 'running') : waiting.length > 0 ? 'waiting' : 'idle'
    return {
      state,
      ...(turn && { turn: turn.turn }),
      ...(ended && { last: { turn: ended.turn, status: ended.status } }),
      waiting: waiting.length,
      openCalls: open.size,
    }
  }

  get #host(): TurnHost {
    const { name, reader, settings } = this
    const settleAs: TurnHost['settleAs'] = (...settlement) => this.#settleAs(...settlement)
    return { name, reader, settings, render: () => this.#render(reader), settleAs }
  }

  #trace(taken: Taken): TurnTrace {
    const { log, telemetry } = this.#context
    return telemetry ? traceTurn(telemetry, log, this.reader, taken) : silentTrace
  }

  async #settleAs(callId: string, outcome: Outcome, owned?: { turn: number; epoch: number }): Promise<Settlement> {
    const { log } = this.#context
    const { turn, epoch } = owned ?? {}
    const command = { do: 'settle', call: callId, outcome, ...(turn === undefined ? {} : { turn }) } as const
    const { entries } = await log.command(() => command, epoch === undefined ? {} : { epoch })
    const [entry] = entries
    const stored = () => asStored(log.state.calls.get(callId)?.outcome ?? failed('no result'))
    if (!entry) return { isFirst: false, isLate: false, outcome: stored() }
    return { isFirst: true, isLate: entry.kind === 'call-late', outcome }
  }

  /** What is there already, as somebody reads it. */
  #recovery(isSafe: (tool: string) => boolean): Recovery {
    const { staleMs, lateResults } = this.settings
    return { staleMs, isSafe, tellsNotes: lateResults === 'tell' }
  }

  #render(reader: Reader): unknown[] {
    const name = JSON.stringify(reader)
    const renderer = this.#renderers.get(name) ?? new Renderer(reader, this.#context.log.state)
    this.#renderers.set(name, renderer)
    return renderer.render()
  }

  async #decide(callId: string, approved: boolean, reason: string | undefined): Promise<Verdict> {
    const { log } = this.#context
    const now = await log.now()
    const { draft, entries } = await log.command(() => ({
      ...{ do: 'decide', call: callId, approved, now },
      ...(reason === undefined ? {} : { reason }),
    }))
    if (entries.length > 0 && draft.why === undefined)
      return { isFirst: true, status: approved ? 'approved' : 'denied', ...(reason === undefined ? {} : { reason }) }
    return { isFirst: false, ...storedVerdict(log.state.calls.get(callId)) }
  }

  #readerFor({ for: dialect, format, model }: { for?: DialectId; format?: CodecId; model?: string }): Reader {
    if (dialect !== undefined) return readerFor(dialect, format, model)
    return { ...this.reader, ...(format && { format }), ...(model === undefined ? {} : { model }) }
  }

  #checked(content: unknown): Pick<InputSubmit, 'content' | 'format'> {
    if (typeof content === 'string' && content.trim() !== '') return { content }
    const messages = Array.isArray(content) ? content : [content]
    const decoded =
      typeof content === 'object' && content !== null ? codecs[this.reader.format].decode(messages).messages : []
    if (decoded.length === 0 || decoded.some(({ role, parts }) => role !== 'user' || parts.length === 0))
      throw new AntiphonError('not-input', 'input is a text, or a user message in the shape of the thread', {
        hint: `the thread is written in ${this.reader.format}`,
      })
    return { content: JSON.parse(JSON.stringify(packBytes(content))), format: this.reader.format }
  }
}

function storedVerdict(call: Call | undefined): Omit<Verdict, 'isFirst'> {
  if (!call) return { status: 'settled' }
  const { decision, outcome, startedAt } = call
  if (outcome?.state === 'expired') return { status: 'expired' }
  if (decision) {
    const { approved, reason } = decision
    return { status: approved ? 'approved' : 'denied', ...(reason === undefined ? {} : { reason }) }
  }
  if (outcome?.state === 'denied') return { status: 'denied' }
  return { status: outcome || startedAt === undefined ? 'settled' : 'started' }
}

const pollMs = 100
