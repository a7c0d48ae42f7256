import type { Message, UserMessage } from '@ag-ui/core'
import type { CodecId } from '../../codecs/index.ts'
import { isRecord } from '../../core/conversation.ts'
import { rewriteMessages } from '../../heal/convert/convert.ts'
import { treeOf } from '../../journal/branches/decide-branch.ts'
import { isSettledForGood } from '../../journal/branches/thread-item.ts'
import { unpackBytes } from '../../journal/bytes.ts'
import type { Entry, TurnEnd } from '../../journal/entry.ts'
import {
  evolve,
  initialState,
  type JournalCall,
  type RecordedStep,
  type SubmittedInput,
  type ThreadState,
} from '../../journal/fold.ts'
import type { Journal } from '../../journal/journal.ts'
import { closesResponse } from '../../journal/live/live-reader.ts'
import type { ClientProtocol } from './client-protocol.ts'
import { type StepNames, stepMessages } from './step-messages.ts'

/** What the client of a view gets to see. */
export interface ThreadClient {
  readonly showsReasoning: boolean
  readonly protocol: ClientProtocol
}

/** How a turn ended. */
export type TurnEnding = Pick<TurnEnd, 'turn' | 'status' | 'error'>

/**
 * A thread as its AG-UI clients see it: a fold over its entries that also assigns AG-UI ids to messages and calls. Ids are derived from
 * positions, so every process assigns the same ones, and a step has its ids before it is recorded, which makes streaming possible.
 */
export class ThreadView {
  readonly state: ThreadState
  /** The last entry that ended a response. */
  closedAt = 0
  readonly #client: ThreadClient
  readonly #names = new Map<number, StepNames>()
  readonly #inputs = new Map<number, UserMessage[]>()
  /** By the id of a message: the inputs that have it, on any branch. */
  readonly #inputsById = new Map<string, number[]>()
  /** The turn of each input. */
  readonly #turns = new Map<number, number>()
  readonly #endings = new Map<number, TurnEnding>()
  /** Steps that can no longer change. */
  readonly #finalSteps = new Map<RecordedStep, Message[]>()
  readonly #byCallId = new Map<string, JournalCall>()
  readonly #callIds = new Map<string, string>()

  constructor(uid: string, client: ThreadClient) {
    this.state = initialState(uid)
    this.#client = client
  }

  /** Reads a thread from the store, up to its head. */
  static async read(journal: Journal, name: string, client: ThreadClient): Promise<ThreadView> {
    const { thread, uid } = await journal.store.open(name)
    const view = new ThreadView(uid, client)
    for (;;) {
      const entries = await journal.store.read(thread, view.state.head)
      for (const entry of entries) view.take(entry)
      if (entries.length === 0) return view
    }
  }

  take(entry: Entry): void {
    const base = this.base
    evolve(this.state, entry)
    if (closesResponse(entry)) this.closedAt = entry.seq
    if (entry.kind === 'input-submit') this.#addInput(entry.seq, this.#inputMessages(entry))
    if (entry.kind === 'input-admit')
      for (const seq of entry.inputs) this.#turns.set(seq, this.state.turn?.turn ?? this.state.turns)
    if (entry.kind === 'turn-end') this.#endings.set(entry.turn, entry)
    if (entry.kind !== 'response-record') return
    const { calls, seq } = lastStepOf(this.state)
    const names = calls.map((call, index) => this.callName(index, call.providerId, base, call))
    this.#names.set(seq, { base, calls: names })
  }

  /** The prefix of the ids of the next step. */
  get base(): string {
    const { uid, turn } = this.state
    return `${uid}-${turn?.turn ?? 0}-${turn?.steps ?? 0}`
  }

  /** The name of the next step. */
  get stepName(): string {
    const { turn } = this.state
    return `turn ${turn?.turn ?? 0}, step ${(turn?.steps ?? 0) + 1}`
  }

  /** The AG-UI id of a call: the provider's id, unless an earlier call has it. If `call` is given, the id is assigned to it. */
  callName(index: number, providerId: string, base: string, call?: JournalCall, taken?: ReadonlySet<string>): string {
    const isFree = providerId !== '' && !this.#byCallId.has(providerId) && !taken?.has(providerId)
    const name = isFree ? providerId : `${base}-call-${index}`
    if (call) {
      this.#byCallId.set(name, call)
      this.#callIds.set(call.id, name)
    }
    return name
  }

  /** The turn of an input; undefined while it waits. */
  turnOf(input: number): number | undefined {
    return this.#turns.get(input)
  }

  /** How a turn ended, if it has. */
  endingOf(turn: number): TurnEnding | undefined {
    return this.#endings.get(turn)
  }

  /** The call with this AG-UI id. */
  callNamed(toolCallId: string): JournalCall | undefined {
    return this.#byCallId.get(toolCallId)
  }

  /** The AG-UI id of a recorded call. */
  nameOf(call: JournalCall): string {
    return this.#callIds.get(call.id) ?? call.id
  }

  callAt(step: number, index: number): JournalCall | undefined {
    const { uid, calls } = this.state
    return calls.get(`${uid}-${step}-${index}`)
  }

  step(step: RecordedStep): Message[] {
    const known = this.#finalSteps.get(step)
    if (known) return known
    const messages = stepMessages(step, this.#names.get(step.seq) as StepNames, this.#client.showsReasoning)
    if (step.calls.every(isSettledForGood)) this.#finalSteps.set(step, messages)
    return messages
  }

  /** All messages in order, and after them the waiting input that `shows` accepts. */
  messages(shows: (waiting: UserMessage) => boolean = () => true): Message[] {
    const { items, waiting } = this.state
    const messages = items.flatMap((item): Message[] => {
      if (item.kind === 'input') return item.inputs.flatMap(input => this.inputMessages(input))
      return item.kind === 'step' ? this.step(item.step) : []
    })
    return [...messages, ...waiting.flatMap(input => this.inputMessages(input)).filter(shows)]
  }

  inputMessages({ seq }: { readonly seq: number }): UserMessage[] {
    return this.#inputs.get(seq) ?? []
  }

  /** The input of a message, on the current branch or else on the one that had it last; undefined if it waits, or has other messages too. */
  inputNamed(id: string): number | undefined {
    const admitted = (this.#inputsById.get(id) ?? []).filter(seq => this.#turns.has(seq))
    if (admitted.length === 0) return undefined
    const current = new Set(
      this.state.items.flatMap(item => (item.kind === 'input' ? item.inputs : [])).map(({ seq }) => seq),
    )
    const seq = admitted.findLast(seq => current.has(seq)) ?? admitted.at(-1)
    return seq !== undefined && this.inputMessages({ seq }).length === 1 ? seq : undefined
  }

  /** What a message with this id was and is, on all branches. */
  versionsOf(id: string): UserMessage[] {
    const inputs = this.#inputsById.get(id) ?? []
    return inputs.flatMap(seq => this.inputMessages({ seq })).filter(message => message.id === id)
  }

  /** The branch that is the current one, as soon as no turn runs. */
  get branch(): number {
    return treeOf(this.state).target.branch
  }

  #addInput(seq: number, messages: UserMessage[]): void {
    this.#inputs.set(seq, messages)
    for (const { id } of messages) {
      const known = this.#inputsById.get(id)
      if (known) known.push(seq)
      else this.#inputsById.set(id, [seq])
    }
  }

  #inputMessages({ seq, content, format }: Pick<SubmittedInput, 'seq' | 'content' | 'format'>): UserMessage[] {
    const id = `${this.state.uid}-input-${seq}`
    if (typeof content === 'string') return [{ id, role: 'user', content }]
    const submitted = [unpackBytes(content)].flat()
    const messages = rewriteMessages(submitted, (format ?? 'openai-chat') as CodecId, 'ag-ui').filter(isRecord)
    return messages.map((message, index) => {
      const own = format === 'ag-ui' && typeof message.id === 'string' ? {} : { id: `${id}-${index}` }
      return this.#client.protocol.message({ ...message, ...own } as UserMessage)
    })
  }
}

function lastStepOf({ items }: ThreadState): RecordedStep {
  const last = items.at(-1)
  if (last?.kind !== 'step') throw new Error('a response was recorded, and there is no step')
  return last.step
}
