import { AntiphonError } from '../../core/errors.ts'
import { equal } from '../../core/json/equal.ts'
import type { AgentQuestion } from '../../journal/agents/agent-questions.ts'
import type { Branch, BranchTree } from '../../journal/branches/branch-tree.ts'
import { branchOf, treeOf } from '../../journal/branches/decide-branch.ts'
import { branchesOf, type ThreadBranch } from '../../journal/branches/thread-branch.ts'
import type { SubmittedInput } from '../../journal/branches/thread-item.ts'
import type { Entry, InputSubmit, TurnEnd } from '../../journal/entry.ts'
import { evolve, initialState, type ThreadState } from '../../journal/fold.ts'
import { answerId } from './answer-chunks.ts'
import { ChatFold, chatMessageOf, isRetry, messageIdOf, type ShownMessage } from './chat-fold.ts'
import { type MessageVersions, VersionTree } from './message-versions.ts'
import type { StoredThread } from './read-thread.ts'

/** The branches of a chat, and the messages of one of them that have other versions. */
export interface ChatBranches {
  readonly branches: readonly ThreadBranch[]
  readonly versions: readonly MessageVersions[]
}

/** Where a user message is on a branch, and where it is answered. */
export interface FoundMessage {
  readonly branch: number
  /** The input that was first shown as this message. */
  readonly first: number
  /** The input of its last attempt. */
  readonly input: number
  /** Where that input was added to the history; undefined as long as it waits. */
  readonly admitted: number | undefined
  /** Other messages follow it. */
  readonly isFollowed: boolean
  readonly parts: readonly object[]
}

/** A chat as it is stored, with all its branches. */
export class StoredChat {
  readonly #uid: string
  readonly #entries: readonly Entry[]
  readonly #state: ThreadState
  readonly #tree: BranchTree
  readonly #inputs = new Map<number, InputSubmit>()
  /** The ids of the messages that inputs are shown as. */
  readonly #ids = new Map<number, string>()

  constructor({ uid, entries }: StoredThread) {
    this.#uid = uid
    this.#entries = entries
    this.#state = initialState(uid)
    for (const entry of entries) {
      evolve(this.#state, entry)
      if (entry.kind === 'input-submit') this.#addInput(entry)
    }
    this.#tree = treeOf(this.#state)
  }

  get head(): number {
    return this.#state.head
  }

  /** The current branch, or the one that becomes it when the running turn has ended. */
  get branch(): number {
    return this.#tree.target.branch
  }

  /** The turn has no owner, because it waits for a person or a client. */
  get isParked(): boolean {
    return this.#state.turn?.parked === true
  }

  /** The answer that begins after the running turn, if that is ending because another branch was chosen. */
  get answerAfterSwitch(): { readonly input: number; readonly since: number } | undefined {
    const { next } = this.#tree
    const [input] = next ? this.#waitingOn(next) : []
    return next && input && { input: input.seq, since: next.seq }
  }

  /** Whether calls wait for agents. */
  get hasAgents(): boolean {
    return [...this.#state.open.values()].some(({ parked }) => parked?.why === 'agent')
  }

  /** The messages of a branch, with the questions of its agents. */
  messages(branch = this.branch, questions: readonly AgentQuestion[] = []): ShownMessage[] {
    const shown = branchOf(this.#tree, branch)
    const fold = new ChatFold(this.#uid)
    for (const entry of this.#entriesOf(shown)) fold.push(entry)
    fold.ask(questions)
    return fold.messages(this.#waitingOn(shown).map(({ seq }) => seq))
  }

  branches(branch = this.branch): ChatBranches {
    const versions = new VersionTree(this.#tree, {
      idOf: seq => this.#idOf(seq),
      answerIdOf: seq => answerId(this.#uid, seq),
      isRepeated: seq => isRetry(this.#inputs.get(seq)?.key),
      waitingOn: branch => this.#waitingOn(branch),
    })
    return { branches: branchesOf(this.#state), versions: versions.of(branchOf(this.#tree, branch)) }
  }

  /** The user message with this id: on the current branch, or else on the newest one that has it. */
  find(id: string): FoundMessage | undefined {
    const { target, branches } = this.#tree
    const isIt = ({ seq }: SubmittedInput): boolean => this.#idOf(seq) === id
    /** Branches that have it among their first items, by how many. */
    const places = new Map<Branch, number>()
    for (const branch of branches) {
      const before = branch.parent && places.get(branch.parent)
      const own = branch.items.findIndex(item => item.kind === 'input' && item.inputs.some(isIt))
      if (before !== undefined && before < branch.base) places.set(branch, before)
      else if (own >= 0) places.set(branch, branch.base + own)
    }
    const hasIt = (branch: Branch): boolean => places.has(branch) || this.#waitingOn(branch).some(isIt)
    const newest = hasIt(target) ? target : branches.findLast(hasIt)
    return newest && this.#findOn(newest, id)
  }

  /** Whether a branch has the answer with this id; undefined if no branch has it. */
  hasAnswer(id: string, branch: number): boolean | undefined {
    const admitted = this.#entries.find(({ kind, seq }) => kind === 'input-admit' && answerId(this.#uid, seq) === id)
    return admitted && this.#tree.hasEntry(branchOf(this.#tree, branch), admitted.seq)
  }

  /** How the turn ended in which an input was admitted at a position; undefined if it has not ended. */
  endAfter(admitted: number): TurnEnd | undefined {
    return this.#entries.find((entry): entry is Entry & TurnEnd => entry.kind === 'turn-end' && entry.seq > admitted)
  }

  /** The position of the fork of a branch, and so before all that is only on it. */
  forkOf(branch: number): number {
    return branchOf(this.#tree, branch).seq
  }

  /** The input that can be edited instead of one that was never added to a history, such as an edit that still waits. */
  editable(input: number): number {
    const admitted = new Set(this.#entries.flatMap(entry => (entry.kind === 'input-admit' ? entry.inputs : [])))
    for (let seq: number | undefined = input; seq !== undefined; seq = this.#inputs.get(seq)?.replaces)
      if (admitted.has(seq)) return seq
    throw new AntiphonError('thread-busy', 'the message still waits to be answered, and cannot be edited yet', {
      hint: 'edit it when its answer has begun',
    })
  }

  #findOn(branch: Branch, id: string): FoundMessage | undefined {
    const admitted = this.#tree.itemsOf(branch).flatMap(item => (item.kind === 'input' ? inputsOf(item) : []))
    const waiting = this.#waitingOn(branch).map(({ seq }) => ({ seq, admitted: undefined }))
    const all = [...admitted, ...waiting]
    const first = all.find(({ seq }) => this.#idOf(seq) === id)
    const last = all.findLast(({ seq }) => this.#idOf(seq) === id)
    if (!first || !last) return undefined
    const { parts } = chatMessageOf(this.#uid, first.seq, this.#inputs)
    return {
      ...{ branch: branch.branch, first: first.seq, input: last.seq, admitted: last.admitted, parts },
      isFollowed: last !== all.at(-1),
    }
  }

  #idOf(seq: number): string {
    return this.#ids.get(seq) ?? messageIdOf(this.#uid, seq, this.#inputs)
  }

  /** A message may have been edited very often, so the id of the version before it is not looked for again. */
  #addInput(entry: Entry & InputSubmit): void {
    const { seq, key, replaces } = entry
    this.#inputs.set(seq, entry)
    const known = key === undefined && replaces !== undefined ? this.#ids.get(replaces) : undefined
    this.#ids.set(seq, known ?? this.#idOf(seq))
  }

  #waitingOn(branch: Branch): readonly SubmittedInput[] {
    const shared = branch === this.#tree.target ? this.#state.inputs.values() : []
    return [...branch.waiting.values(), ...shared]
  }

  /** The entries that a branch shows. A late result is shown wherever its call is. */
  *#entriesOf(branch: Branch): Generator<Entry> {
    const forks = new Map<number, Branch>()
    for (let at: Branch | undefined = branch; at; at = at.parent) forks.set(at.seq, at)
    for (const entry of this.#entries) {
      const fork = entry.kind === 'branch-fork' ? forks.get(entry.seq) : undefined
      if (fork) yield* notCarriedOver(fork, entry)
      const isShown = entry.kind === 'input-submit' || entry.kind === 'call-late'
      if (isShown || this.#tree.hasEntry(branch, entry.seq)) yield entry
    }
  }
}

/** Whether two messages have the same content. */
export const isSameContent = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  equal(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))

const inputsOf = (item: { seq: number; inputs: readonly SubmittedInput[] }) =>
  item.inputs.map(({ seq }) => ({ seq, admitted: item.seq as number | undefined }))

/** Calls that were open where the branch begins have a placeholder there. */
function* notCarriedOver({ items: [first], seq }: Branch, entry: Entry): Generator<Entry> {
  if (first?.kind !== 'step') return
  const { at, epoch } = entry
  for (const { place, outcome, settledSeq } of first.step.calls)
    if (settledSeq === seq && outcome) yield { kind: 'call-settle', call: place, outcome, seq, at, epoch }
}
