import { AntiphonError } from '../../core/errors.ts'
import { type OpenCall, openCallsOf } from '../calls/open-calls.ts'
import { settleCall } from '../calls/settle-call.ts'
import type { Clock } from '../clock.ts'
import { nextDueAt } from '../decide.ts'
import { type JournalCall, uidOf } from '../fold.ts'
import type { Log } from '../log.ts'
import { placeholderOutcome } from '../outcome.ts'
import type { Store } from '../stores/store.ts'
import { isErased } from '../turn-errors.ts'
import { type CallWatch, watchCall } from './call-watch.ts'
import { childName, parentOf } from './child-name.ts'
import { childOutcome } from './child-outcome.ts'

export interface AgentsContext {
  readonly log: Log
  readonly clock: Clock
  readonly store: Store
  logOf(name: string): Log
}

/**
 * The agents of the calls of one thread. Each works in a thread of its own, whose name is made from the id of the call: so every process finds
 * the same one, and none starts an agent twice.
 */
export class ThreadAgents {
  readonly #context: AgentsContext
  /** The names of the agents' threads that were looked at, by their ids: a request may name many calls of a thread with many agents. */
  readonly #names = new Map<string, string>()

  constructor(context: AgentsContext) {
    this.#context = context
  }

  /** The agents of the open calls, as far as this process has read the thread. */
  get open(): readonly Agent[] {
    const { log } = this.#context
    return log.isRead ? this.#agentsOf(log.state.open.values()) : []
  }

  /** Whether a call waits for its agent, as far as this process has read the thread. */
  isOpen(callId: string): boolean {
    const { log } = this.#context
    return log.isRead && log.state.open.get(callId)?.parked?.why === 'agent'
  }

  /** The agent of a call. */
  of(callId: string): Agent {
    const { logOf, log } = this.#context
    return new Agent({ ...this.#context, log: logOf(childName(log.name, callId)) }, callId)
  }

  /** Watches a call until it has a result. */
  watch(callId: string): CallWatch {
    return watchCall(this.#context.log, this.#context.clock, callId)
  }

  /** The open calls of the thread, and of its agents, each after the call of its agent. */
  async openCalls(): Promise<OpenCall[]> {
    const { log } = this.#context
    const calls: OpenCall[] = []
    for (const call of await openCallsOf(log)) {
      calls.push({ ...call, thread: log.name, path: [] })
      const agent = call.parked?.why === 'agent' ? this.of(call.id) : undefined
      if (!agent || !(await agent.exists())) continue
      for (const below of await agent.agents.openCalls())
        calls.push({ ...below, path: [call.id, ...(below.path ?? [])] })
    }
    return calls
  }

  /** Whether an agent below the thread has something to do now, here or in another process, and does not wait for a person or a client. */
  async areWorking(): Promise<boolean> {
    const { store } = this.#context
    for (const { id, parked, thread = '' } of await this.openCalls()) {
      if (parked?.why !== 'agent') continue
      const { state, dueAt } = (await store.find(childName(thread, id))) ?? {}
      if (state === 'running' || (dueAt !== undefined && dueAt <= (await store.now()))) return true
    }
    return false
  }

  /** Decides or settles a call of the thread, or of an agent below it. */
  async withCall<T>(callId: string, work: (log: Log) => Promise<T>): Promise<T> {
    try {
      return await work(this.#context.log)
    } catch (error) {
      if (!AntiphonError.is(error) || error.code !== 'unknown-call') throw error
      const below = await this.#find(callId)
      if (!below) throw error
      return work(below)
    }
  }

  /** If this is the thread of an agent: gives its result to the call of its parent, once. Returns false if it has not ended. */
  async deliver(outputBytesMax: number): Promise<boolean> {
    const { log, logOf } = this.#context
    const place = parentOf(log.name)
    const outcome = place && childOutcome(await log.catchUp(), outputBytesMax)
    if (!outcome) return false
    await settleCall(logOf(place.parent), place.callId, outcome)
    await log.postpone(nextDueAt)
    return true
  }

  /** If this is the thread of an agent, which must exist: its call gets a placeholder, since there will be no result. */
  async settleParentCall(reason: string): Promise<void> {
    const { log, logOf } = this.#context
    const place = parentOf(log.name)
    if (!place) return
    try {
      await settleCall(logOf(place.parent), place.callId, placeholderOutcome('interrupted', reason))
    } catch (error) {
      if (!isErased(error)) throw error
    }
  }

  /** The log of the agent that made the call. */
  async #find(callId: string): Promise<Log | undefined> {
    const uid = uidOf(callId)
    const name = this.#names.get(uid) ?? (await this.#search(uid, this.#names))
    if (name === undefined) return undefined
    const agent = new Agent({ ...this.#context, log: this.#context.logOf(name) }, callId)
    if (!(await agent.exists())) return undefined
    return (await agent.log.catchUp()).calls.has(callId) ? agent.log : undefined
  }

  /** The name of the agent's thread with this id. The last agents are looked at first, and are added to `names`. */
  async #search(wanted: string, names: Map<string, string>): Promise<string | undefined> {
    const { calls } = await this.#context.log.catchUp()
    for (const agent of this.#agentsOf(calls.values()).reverse()) {
      if (!(await agent.exists())) continue
      const { uid } = await agent.log.catchUp()
      names.set(uid, agent.log.name)
      const found = uid === wanted ? agent.log.name : await agent.agents.#search(wanted, names)
      if (found !== undefined) return found
    }
    return undefined
  }

  #agentsOf(calls: Iterable<JournalCall>): Agent[] {
    return Array.from(calls).flatMap(({ id, parked }) => (parked?.why === 'agent' ? this.of(id) : []))
  }
}

/** One agent, and the log of its thread. */
export class Agent {
  readonly callId: string
  readonly log: Log
  readonly agents: ThreadAgents
  readonly #store: Store

  constructor(context: AgentsContext, callId: string) {
    this.callId = callId
    this.log = context.log
    this.#store = context.store
    this.agents = new ThreadAgents(context)
  }

  /** Whether it has its input. */
  async exists(): Promise<boolean> {
    return this.hasMore(0)
  }

  /** Whether it has something to do, or waits for something. */
  async isBusy(): Promise<boolean> {
    const row = await this.#store.find(this.log.name)
    return row !== undefined && row.state !== 'erased' && (row.state !== 'idle' || row.dueAt !== undefined)
  }

  /** Whether its thread has entries after a position, or its owner has disappeared in the middle of a turn. */
  async hasMore(after: number): Promise<boolean> {
    const row = await this.#store.find(this.log.name)
    if (row === undefined || row.state === 'erased') return false
    return row.head > after || (row.state === 'running' && row.leasedUntil <= (await this.#store.now()))
  }

  /** Creates its thread, if it does not exist. Throws if it was erased. */
  async create(): Promise<void> {
    await this.#store.open(this.log.name)
  }
}
