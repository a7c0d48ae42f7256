import { assertAmounts, assertChoice } from '../core/assert-options.ts'
import { AntiphonError } from '../core/errors.ts'
import type { Telemetry } from '../observe/telemetry/telemetry.ts'
import { childName } from './agents/child-name.ts'
import { ThreadAgents } from './agents/thread-agents.ts'
import {
  assertBranch,
  branchesOf,
  type EditOptions,
  type ForkOptions,
  type RegenerateOptions,
  type SwitchOptions,
  type ThreadBranch,
} from './branches/thread-branch.ts'
import { type CallHandle, handlesOf } from './call.ts'
import { type ApprovalResult, type ApproveOptions, decideCall } from './calls/approval.ts'
import { type OpenCall, type OpenCallsOptions, openCallsOf } from './calls/open-calls.ts'
import { type Settlement, settleCall } from './calls/settle-call.ts'
import type { Clock } from './clock.ts'
import { type Compaction, type CompactOptions, compactThread } from './compaction/compact-thread.ts'
import { type Command, nextDueAt } from './decide.ts'
import type { Entry, EntryData, Outcome } from './entry.ts'
import { notesOf, type ThreadState } from './fold.ts'
import { checkInput } from './input/check-input.ts'
import { KeyedInput, type Receipt } from './input/keyed-input.ts'
import { follow } from './live/follow.ts'
import type { LiveItem } from './live/live-reader.ts'
import { LeasedError, type Log } from './log.ts'
import { describeThread, type MetadataChange, metadataOf } from './metadata/describe-thread.ts'
import type { ThreadMetadata } from './metadata/stored-metadata.ts'
import { outcomeOfOutput } from './outcome.ts'
import { isRunnable, type Recovery, recover } from './recover.ts'
import { copyAsJson } from './render/copy-as-json.ts'
import { assertTarget, Renderers, type RenderTarget, renderTargetFor } from './render/render.ts'
import { readEntries } from './stores/read-all.ts'
import type { Store } from './stores/store.ts'
import type { MessagesOptions, SubmitOptions, ThreadOptions, ThreadSummary, TurnOptions } from './thread-options.ts'
import { type AcquiredTurn, noopTurnTrace, type TurnTrace, traceTurn } from './tracing/turn-trace.ts'
import { Turn } from './turn.ts'
import { type LiveWatchOptions, untilChanged, type WatchOptions, watch, watchLive } from './watch.ts'

/** What a thread shares with its journal. */
export interface ThreadContext {
  readonly log: Log
  readonly clock: Clock
  readonly owner: string
  readonly telemetry?: Telemetry | undefined
  readonly store: Store
  logOf(name: string): Log
  /** Another thread of the same journal. */
  open(name: string, options: ThreadOptions): Thread
}

/** Throws if an option is unknown, or not valid. */
export function assertThreadOptions({ for: dialect, format, ...options }: ThreadOptions): void {
  const { leaseMs, staleMs, graceMs, outputBytesMax, lateResults, messages } = options
  assertTarget({ for: dialect, format })
  assertChoice('lateResults', lateResults, ['note', 'tell'])
  assertChoice('messages', messages, ['copies', 'frozen'])
  assertAmounts({ leaseMs, staleMs, graceMs, outputBytesMax })
}

/** One conversation in the journal. Only `turn` takes the lease; all other methods may be called by any process at any time. */
export class Thread {
  readonly name: string
  readonly target: RenderTarget
  readonly settings: Required<Omit<ThreadOptions, 'for' | 'format' | 'model'>>
  /** The agents of its calls, for `run` and workers. */
  readonly agents: ThreadAgents
  readonly #context: ThreadContext
  readonly #options: ThreadOptions
  readonly #renderers: Renderers

  constructor(context: ThreadContext, options: ThreadOptions = {}) {
    assertThreadOptions(options)
    this.#context = context
    this.#options = options
    this.name = context.log.name
    this.agents = new ThreadAgents(context)
    this.target = renderTargetFor(options.for ?? 'openai', options.format, options.model)
    this.settings = {
      leaseMs: options.leaseMs ?? 15_000,
      staleMs: options.staleMs ?? 15 * 60_000,
      graceMs: options.graceMs ?? 5_000,
      outputBytesMax: options.outputBytesMax ?? 1_000_000,
      lateResults: options.lateResults ?? 'note',
      messages: options.messages ?? 'copies',
    }
    this.#renderers = new Renderers(context.log, this.settings.messages === 'frozen')
  }

  /** Stores input durably: a text, or a user message in the format of the thread. */
  async submit(content: unknown, options: SubmitOptions = {}): Promise<Receipt> {
    const { key, whenBusy = 'queue', whenApproving = 'queue' } = options
    assertChoice('whenBusy', whenBusy, ['queue', 'steer', 'interrupt', 'reject'])
    assertChoice('whenApproving', whenApproving, ['queue', 'deny'])
    const { log } = this.#context
    const when = whenBusy === 'reject' ? 'queue' : whenBusy
    const input = new KeyedInput(log, key, { ...checkInput(content, this.target.format), when })
    if (whenApproving === 'deny' && whenBusy !== 'reject')
      return input.submitBy({ do: 'deny-and-submit', input: input.entry })
    const alone = whenBusy === 'reject' ? ({ onlyIf: 'idle', state: 'running' } as const) : {}
    const written = await log.submit(input.entry, { ...input.guard, ...alone, dueAt: 'now' })
    if (written.ok) return input.receipt(written.head)
    if (written.known) return input.known(written.known)
    throw new AntiphonError('thread-busy', `thread ${this.name} is busy`, {
      hint: 'wait for the turn to end, or choose another whenBusy',
      thread: this.name,
    })
  }

  /**
   * Takes the lease of the thread and its next turn. Returns undefined if there is nothing to do, or if another process still
   * owns the thread after `waitMs`.
   */
  async turn({ waitMs = 0, signal, isSafe = () => false }: TurnOptions = {}): Promise<Turn | undefined> {
    assertAmounts({ waitMs })
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
        if (turn) return this.#open(turn.turn, epoch, trace)
        // The turn was interrupted while it had no owner. Taking it ended it.
        trace.leave(undefined)
      } catch (error) {
        if (!(error instanceof LeasedError)) throw error
        // If the clock is set back in the meantime, the wait must not become longer.
        leftMs = Math.min(leftMs, deadline - clock.now())
        if (leftMs <= 0) return undefined
        leftMs -= await untilChanged(log, clock, leftMs, signal)
        await log.catchUp()
      }
    }
    return undefined
  }

  /**
   * Approves a call of this thread or of an agent below it, so that it runs. With `input` it runs with that instead of the input of the model, and
   * the model is told of the change. The first decision counts; approving the call again returns it.
   */
  approve(callId: string, options: string | ApproveOptions = {}): Promise<ApprovalResult> {
    const approval = typeof options === 'string' ? { reason: options } : options
    return this.agents.withCall(callId, log => decideCall(log, callId, { approved: true, ...approval }))
  }

  /** Denies a call: it is settled and does not run. */
  deny(callId: string, reason?: string): Promise<ApprovalResult> {
    const denial = { approved: false, ...(reason === undefined ? {} : { reason }) }
    return this.agents.withCall(callId, log => decideCall(log, callId, denial))
  }

  /** Gives a call its result from outside. The first result counts; settling the call again returns it. */
  async settle(callId: string, output: unknown, { error = false } = {}): Promise<Settlement> {
    const { outputBytesMax } = this.settings
    const outcome = outcomeOfOutput(output, outputBytesMax)
    return this.agents.withCall(callId, log =>
      settleCall(log, callId, error ? { ...outcome, status: 'error' } : outcome),
    )
  }

  /** Interrupts the given turn, or the current one, and its agents. `isInterrupted` is false if there was none to interrupt. */
  async interrupt(
    reason?: string,
    { turn }: { turn?: number } = {},
  ): Promise<{ isInterrupted: boolean; turn?: number }> {
    const { log } = this.#context
    const running = (await log.catchUp()).turn?.turn
    const agents = this.agents.open
    const { entries } = await log.command(() => ({
      do: 'interrupt',
      ...(turn === undefined ? {} : { turn }),
      ...(reason === undefined ? {} : { reason }),
    }))
    const [entry] = entries
    // If this process crashes here, the process that runs the agents notices that their calls have results.
    if (entry) for (const agent of agents) if (await agent.exists()) await this.child(agent.callId).interrupt(reason)
    if (entry?.kind === 'turn-interrupt') return { isInterrupted: true, turn: entry.turn }
    return { isInterrupted: false, ...(running === undefined ? {} : { turn: running }) }
  }

  /**
   * Adds a branch that begins with the history at `at`, the sequence number of an entry; by default with the whole history. It does not
   * become the current one, and a running turn continues.
   */
  async fork({ branch, at, openCalls = 'reject' }: ForkOptions = {}): Promise<ThreadBranch> {
    const { log } = this.#context
    const { entries } = await log.command(() => ({
      ...{ do: 'fork', dropsOpenCalls: openCalls === 'drop' },
      ...(branch === undefined ? {} : { from: branch }),
      ...(at === undefined ? {} : { at }),
    }))
    const [entry] = entries
    return branchesOf(log.state).find(
      made => entry?.kind === 'branch-fork' && made.branch === entry.branch,
    ) as ThreadBranch
  }

  /** Makes a branch the current one. If that interrupts a turn with an owner, the switch takes effect when the turn has ended (`isPending`). */
  async switch(branch: number, { whenBusy = 'reject' }: SwitchOptions = {}): Promise<{ isPending: boolean }> {
    assertChoice('whenBusy', whenBusy, ['reject', 'interrupt'])
    const { log } = this.#context
    await log.command(() => ({ do: 'switch', branch, interrupts: whenBusy === 'interrupt' }))
    return { isPending: log.state.tree?.next !== undefined }
  }

  /**
   * Replaces an input, by the `seq` of its receipt, on a new branch that becomes the current one. The current turn, running or
   * parked, is interrupted first. The same key with the same content edits once.
   */
  async edit(input: number, content: unknown, { key, ifCurrent }: EditOptions = {}): Promise<Receipt> {
    const edited = new KeyedInput(this.#context.log, key, { ...checkInput(content, this.target.format), when: 'queue' })
    const condition = ifCurrent === undefined ? {} : { ifCurrent }
    return edited.submitBy({ do: 'edit', input, edited: edited.entry, ...condition })
  }

  /** Answers an input again, on a new branch that becomes the current one. The current turn, running or parked, is interrupted first. */
  async regenerate({ input, ifCurrent }: RegenerateOptions = {}): Promise<void> {
    await this.#context.log.command(() => ({
      do: 'regenerate',
      ...(input === undefined ? {} : { input }),
      ...(ifCurrent === undefined ? {} : { ifCurrent }),
    }))
  }

  /** All branches, in the order in which they were made. */
  async branches(): Promise<readonly ThreadBranch[]> {
    return branchesOf(await this.#context.log.catchUp())
  }

  /**
   * Writes a summary, which the model is shown from now on instead of what it covers. The log keeps everything, and `expand` undoes it. Returns
   * undefined if there is nothing to summarize.
   */
  async compact(options: CompactOptions): Promise<Compaction | undefined> {
    return compactThread(this.#context.log, this.target, options)
  }

  /** Undoes the last summary: the model is again shown what the summary covered. */
  async expand(): Promise<{ isExpanded: boolean }> {
    const { entries } = await this.#context.log.command(() => ({ do: 'expand' }))
    return { isExpanded: entries.length > 0 }
  }

  /** The history so far, for the provider of the thread or for another one. Open calls have a placeholder. */
  async messages(options: MessagesOptions = {}): Promise<unknown[]> {
    const state = await this.#context.log.catchUp()
    const { for: dialect, format, model, branch } = options
    if (branch !== undefined) assertBranch(state, branch)
    return this.#renderers.render(dialect || format || model ? this.#targetFor(options) : this.target, branch)
  }

  /** The entries after a position, and those to come. With `live` also the deltas of the response that is streaming. */
  watch(options: LiveWatchOptions): AsyncGenerator<LiveItem>
  watch(options?: WatchOptions): AsyncGenerator<Entry>
  watch(options: WatchOptions | LiveWatchOptions = {}): AsyncGenerator<LiveItem> {
    const { log, clock } = this.#context
    return options.live ? watchLive(log, clock, options) : watch(log, clock, options)
  }

  /** Calls the listener with every entry that this process writes or reads from now on, and with the deltas of responses as they stream. */
  follow(listener: (item: LiveItem) => void): () => void {
    return follow(this.#context.log, listener)
  }

  /** Calls the listener with every entry that this process writes or reads from now on. */
  listen(listener: (entries: readonly Entry[], state: ThreadState) => void): () => void {
    const { log } = this.#context
    return log.listen(entries => {
      if (entries.length > 0) listener(entries, log.state)
    })
  }

  /**
   * Fills this empty thread, in one write, with the entries that the thread of the same name has in another store. Both must have the
   * same `uid`, since ids of calls contain it. Returns false if this thread is not empty.
   */
  async beginAs(store: Store): Promise<boolean> {
    const { log } = this.#context
    const row = await store.open(this.name)
    const entries: EntryData[] = []
    for await (const { seq: _, at: __, epoch: ___, ...entry } of readEntries(store, row)) entries.push(entry)
    return log.begin(entries, { state: row.state, dueAt: row.dueAt === undefined ? null : 'now' })
  }

  /** Stores when the thread has something to do next. A worker that found nothing to do calls it. */
  async reschedule(): Promise<void> {
    await this.#context.log.postpone(nextDueAt)
  }

  /** The calls that an owner would run if it took the turn now. */
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

  /** The calls without a result; with `deep` also those of agents, each after the call of its agent. */
  openCalls({ deep = false }: OpenCallsOptions = {}): Promise<readonly OpenCall[]> {
    return deep ? this.agents.openCalls() : openCallsOf(this.#context.log)
  }

  /** The thread in which the agent of a call works. Its options are those of this thread, unless others are given. */
  child(callId: string, options: ThreadOptions = {}): Thread {
    const { for: _, format: __, model: ___, ...settings } = this.#options
    const inherited = options.for === undefined ? this.#options : settings
    return this.#context.open(childName(this.name, callId), { ...inherited, ...options })
  }

  /** The state of the thread, with everything that was written so far. Do not change it. */
  async read(): Promise<ThreadState> {
    return this.#context.log.catchUp()
  }

  /** Results that arrived after the model had continued without them. */
  async notes(): Promise<readonly { callId: string; name: string; outcome: Outcome; at: number; told: boolean }[]> {
    return notesOf(await this.#context.log.catchUp()).map(({ call, outcome, at, told }) => ({
      ...{ callId: call.id, name: call.name, outcome: copyAsJson(outcome), at, told },
    }))
  }

  async status(): Promise<ThreadSummary> {
    const { turn, ended, waiting, open, tree } = await this.#context.log.catchUp()
    const state = turn ? (turn.parked ? 'parked' : 'running') : waiting.length > 0 ? 'waiting' : 'idle'
    return {
      state,
      ...(turn && { turn: turn.turn }),
      ...(ended && { last: { turn: ended.turn, status: ended.status } }),
      waiting: waiting.length,
      openCalls: open.size,
      ...(tree && { branch: tree.current.branch }),
    }
  }

  /** Changes the title, the labels or the data of the thread, and leaves the others as they are. */
  describe(change: MetadataChange): Promise<ThreadMetadata> {
    return describeThread(this.#context.log, change)
  }

  metadata(): Promise<ThreadMetadata> {
    return metadataOf(this.#context.log)
  }

  /**
   * Erases the thread: its entries, inputs, calls, metadata and name, in every branch, and the threads of its agents. A running turn is stopped,
   * and later writes throw `thread-erased`. `isErased` is false if there was nothing to erase.
   */
  async erase(): Promise<{ isErased: boolean }> {
    const { store, log } = this.#context
    if (!(await store.find(this.name))) return { isErased: false }
    // Done before the thread is fenced, so that the parent does not wait for this agent; also if the thread is still empty.
    await this.agents.settleParentCall('the thread of its agent was erased')
    return { isErased: await log.erase() }
  }

  #open(turn: number, epoch: number, trace: TurnTrace): Turn {
    const { log, clock } = this.#context
    const { target, settings } = this
    return new Turn({ log, clock, target, settings, renderers: this.#renderers }, turn, epoch, trace)
  }

  #trace(taken: AcquiredTurn): TurnTrace {
    const { log, telemetry } = this.#context
    return telemetry ? traceTurn(telemetry, log, this.target, taken) : noopTurnTrace
  }

  #recovery(isSafe: (tool: string) => boolean): Recovery {
    const { staleMs, lateResults } = this.settings
    return { staleMs, isSafe, tellsNotes: lateResults === 'tell' }
  }

  #targetFor({ for: dialect, format, model }: MessagesOptions): RenderTarget {
    if (dialect !== undefined) return renderTargetFor(dialect, format, model)
    assertTarget({ format })
    return { ...this.target, ...(format && { format }), ...(model === undefined ? {} : { model }) }
  }
}
