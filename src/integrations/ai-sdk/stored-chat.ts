import { AntiphonError } from '../../core/errors.ts'
import { equal } from '../../core/json/equal.ts'
import type { Branch, BranchTree } from '../../journal/branches/branch-tree.ts'
import { branchOf, treeOf } from '../../journal/branches/decide-branch.ts'
import { branchesOf, type ThreadBranch } from '../../journal/branches/thread-branch.ts'
import type { SubmittedInput } from '../../journal/branches/thread-item.ts'
import type { Entry, InputSubmit, TurnEnd } from '../../journal/entry.ts'
import { evolve, initialState, type ThreadState } from '../../journal/fold.ts'
import { answerId } from './answer-chunks.ts'
import { ChatFold, type ChatMessage, chatMessageOf, isRetry, messageIdOf } from './chat-fold.ts'
import type { StoredThread } from './read-thread.ts'

/** Versions of one message: each is on another branch. */
export interface MessageVersions {
  /** The id of the message on the branch that was asked for. */
  readonly id: string
  /** A branch for each version, the oldest version first. */
  readonly branches: readonly number[]
  /** The index of the version on the branch that was asked for. */
  readonly index: number
}

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

  constructor({ uid, entries }: StoredThread) {
    this.#uid = uid
    this.#entries = entries
    this.#state = initialState(uid)
    for (const entry of entries) {
      evolve(this.#state, entry)
      if (entry.kind === 'input-submit') this.#inputs.set(entry.seq, entry)
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

  /** The answer that begins when the running turn has made place for another branch; undefined if it does not. */
  get answerAfterSwitch(): { readonly input: number; readonly since: number } | undefined {
    const { next } = this.#tree
    const [input] = next ? this.#waitingOn(next) : []
    return next && input && { input: input.seq, since: next.seq }
  }

  /** The messages of a branch. */
  messages(branch = this.branch): ChatMessage[] {
    const shown = branchOf(this.#tree, branch)
    const fold = new ChatFold(this.#uid)
    for (const entry of this.#entriesOf(shown)) fold.push(entry)
    return fold.messages(this.#waitingOn(shown).map(({ seq }) => seq))
  }

  branches(branch = this.branch): ChatBranches {
    const { branches, target } = this.#tree
    const shown = branchOf(this.#tree, branch)
    const nodes = new Map<string, number>()
    /** By the node that they follow: the versions, each with the branch that shows it. */
    const versions = new Map<number, Map<string, number>>()
    const pathOf = (branch: Branch): { id: string; versions: Map<string, number>; version: string }[] => {
      let node = 0
      return this.#shownOn(branch).map(({ version, id }) => {
        const here = versions.get(node) ?? new Map<string, number>()
        versions.set(node, here)
        here.set(version, branch.branch)
        const step = `${node}/${version}`
        node = nodes.get(step) ?? nodes.size + 1
        nodes.set(step, node)
        return { id, versions: here, version }
      })
    }
    // The last branch that is visited is the one that a shared version leads to.
    for (const branch of [...branches, target]) pathOf(branch)
    return {
      branches: branchesOf(this.#state),
      versions: pathOf(shown)
        .filter(({ versions }) => versions.size > 1)
        .map(({ id, versions, version }) => ({
          ...{ id, branches: [...versions.values()], index: [...versions.keys()].indexOf(version) },
        })),
    }
  }

  /** The user message with this id: on the current branch, or else on the newest one that has it. */
  find(id: string): FoundMessage | undefined {
    const { target, branches } = this.#tree
    for (const branch of [target, ...branches.toReversed()]) {
      const found = this.#findOn(branch, id)
      if (found) return found
    }
    return undefined
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

  /** What the branch shows, without its content: user messages and answers. */
  #shownOn(branch: Branch): { id: string; version: string; isAnswer: boolean }[] {
    const shown: { id: string; version: string; isAnswer: boolean }[] = []
    const say = ({ seq }: Pick<SubmittedInput, 'seq'>): void => {
      const input = this.#inputs.get(seq)
      if (!isRetry(input?.key)) shown.push({ id: this.#idOf(seq), version: `input ${seq}`, isAnswer: false })
      // Of a repeated attempt only the last one is shown.
      else if (shown.at(-1)?.isAnswer) shown.pop()
    }
    for (const item of this.#tree.itemsOf(branch)) {
      if (item.kind !== 'input') continue
      item.inputs.forEach(say)
      shown.push({ id: answerId(this.#uid, item.seq), version: `answer ${item.seq}`, isAnswer: true })
    }
    this.#waitingOn(branch).forEach(say)
    return shown
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
    return messageIdOf(this.#uid, seq, this.#inputs)
  }

  #waitingOn(branch: Branch): readonly SubmittedInput[] {
    const { current, target } = this.#tree
    const { waiting } = this.#state
    const own = branch === current ? waiting.filter(input => input.branch === branch.branch) : branch.waiting
    return branch === target ? [...own, ...waiting.filter(input => input.branch === undefined)] : own
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
