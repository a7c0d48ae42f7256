import type { BranchFork, Entry } from '../entry.ts'
import { placeholderOutcome } from '../outcome.ts'
import {
  countWhile,
  type JournalCall,
  type LateResult,
  type RecordedStep,
  type SubmittedInput,
  seqOf,
  type ThreadItem,
} from './thread-item.ts'

/** A branch of a thread: the first `base` items of its parent, and then its own. */
export interface Branch {
  readonly branch: number
  /** The branch that it left, and the position; undefined for the main branch. */
  readonly from: number | undefined
  readonly after: number
  readonly createdAt: number
  /** The sequence number of its fork. */
  readonly seq: number
  readonly parent: Branch | undefined
  /** The last sequence number of the parent that is part of it. */
  readonly cut: number
  readonly base: number
  readonly items: ThreadItem[]
  /** The last step that the model can see. */
  last: RecordedStep | undefined
  /** Inputs that wait for this branch alone, by their sequence numbers. */
  readonly waiting: WaitingInputs
}

/** By sequence number, in order of submission. A map, because any number of inputs may wait and each is removed by its number. */
export type WaitingInputs = Map<number, SubmittedInput>

/** Where a branch leaves another one: after `count` items of `parent`. */
interface BranchPoint {
  readonly parent: Branch
  readonly count: number
  readonly cut: number
  /** The item that follows on the branch that is left. */
  readonly following: ThreadItem | undefined
}

/**
 * The branches of a thread that has more than one. Forking and switching copy no items: the flat list of the current branch is built when
 * it is read, so that a log is folded in linear time however often it switches.
 */
export class BranchTree {
  readonly #branches: Branch[]
  #current: Branch
  /** The branch that becomes the current one when the turn ends. */
  #next: Branch | undefined
  #items: ThreadItem[] | undefined
  /** From which sequence number on a branch is the current one, in order. */
  readonly #spans: { readonly seq: number; readonly branch: Branch }[]
  /** The last steps of branches, without those after which another branch has a later step. */
  readonly #leaves = new Map<number, RecordedStep>()
  /** By late result: the entries that sent it to the model. */
  readonly #sentLate = new Map<number, number[]>()
  #limits: { readonly branch: Branch; readonly limits: ReadonlyMap<Branch, number> } | undefined

  /** The tree of a thread that had one branch so far. */
  static of(items: ThreadItem[]): BranchTree {
    return new BranchTree(items, items.findLast(isVisibleStep)?.step)
  }

  private constructor(items: ThreadItem[], last: RecordedStep | undefined) {
    const main: Branch = {
      ...{ branch: mainBranch, from: undefined, after: 0, createdAt: 0, seq: 0, parent: undefined, cut: 0, base: 0 },
      ...{ items, last, waiting: new Map() },
    }
    this.#branches = [main]
    this.#current = main
    this.#items = items
    this.#spans = [{ seq: 0, branch: main }]
    if (last) this.#leaves.set(last.seq, last)
  }

  get current(): Branch {
    return this.#current
  }

  get next(): Branch | undefined {
    return this.#next
  }

  /** The branch that is the current one when no turn runs. */
  get target(): Branch {
    return this.#next ?? this.#current
  }

  /** All branches, in the order of their numbers. */
  get branches(): readonly Branch[] {
    return this.#branches
  }

  /** The items of the current branch. */
  get items(): ThreadItem[] {
    this.#items ??= this.itemsOf(this.#current)
    return this.#items
  }

  get(branch: number): Branch | undefined {
    const found = this.#branches[branch - 1]
    return found?.branch === branch ? found : undefined
  }

  /** The items of a branch, those of its ancestors included. */
  itemsOf(branch: Branch): ThreadItem[] {
    if (!branch.parent) return branch.items
    const parts = [branch.items]
    for (let at = branch; at.parent; at = at.parent) parts.push(at.parent.items.slice(0, at.base - at.parent.base))
    return parts.reverse().flat()
  }

  /** The calls without a result at a position of a branch. Only those of the last step can be open. */
  openCallsAt(branch: Branch, after: number): readonly JournalCall[] {
    const point = this.#locate(branch, after)
    return openCallsOf(this.#lastStep(point), point.cut)
  }

  fork(entry: Entry & BranchFork): void {
    const { branch, from, after, inputs = [], seq, at: createdAt } = entry
    const point = this.#locate(this.get(from) ?? this.#current, after)
    const { parent, count, cut, following } = point
    const step = this.#lastStep(point)
    const open = new Set(openCallsOf(step, cut))
    const cutStep = step && open.size > 0 ? withoutOpenCalls(step, open, seq) : undefined
    // The step is the last item there: nothing follows an open call.
    const own = cutStep ? [{ kind: 'step' as const, step: cutStep }] : []
    const again = new Set(inputs)
    const waiting = following?.kind === 'input' ? following.inputs.filter(input => again.has(input.seq)) : []
    this.#branches.push({
      ...{ branch, from, after, createdAt, seq, parent, cut, base: parent.base + count - own.length, items: own },
      last: cutStep ?? step,
      // Inputs that were admitted together are admitted together again.
      waiting: new Map(
        waiting.map((input, index) => [input.seq, { ...input, branch, when: index === 0 ? input.when : 'steer' }]),
      ),
    })
  }

  /** Makes a branch the current one, at once or at the end of the turn. */
  switchTo(branch: Branch, seq: number, isNow: boolean): void {
    this.#next = isNow || branch === this.#current ? undefined : branch
    if (!isNow || branch === this.#current) return
    this.#current = branch
    this.#items = undefined
    this.#spans.push({ seq: seq + 1, branch })
  }

  add(item: ThreadItem): void {
    const current = this.#current
    current.items.push(item)
    if (this.#items !== current.items) this.#items?.push(item)
    if (!isVisibleStep(item)) return
    const { last } = current
    if (last && this.#leaves.get(last.seq) === last) this.#leaves.delete(last.seq)
    current.last = item.step
    this.#leaves.set(item.step.seq, item.step)
  }

  /** Whether no branch has another response after the step. */
  isLeaf(step: number): boolean {
    return this.#leaves.has(step)
  }

  tell(notes: readonly number[], seq: number): void {
    for (const note of notes) {
      const places = this.#sentLate.get(note)
      if (places) places.push(seq)
      else this.#sentLate.set(note, [seq])
    }
  }

  /** The late results of calls that the current branch has, and whether they were sent to the model there. */
  notes(all: readonly LateResult[]): readonly LateResult[] {
    const current = this.#current
    const isHere = (seq: number | undefined): boolean => seq !== undefined && this.hasEntry(current, seq)
    return all
      .filter(({ call }) => isHere(call.settledSeq))
      .map(note => ({ ...note, told: (this.#sentLate.get(note.seq) ?? []).some(isHere) }))
  }

  /** Whether the entry at a position was written on the branch, or on an ancestor before the branch left it. */
  hasEntry(branch: Branch, seq: number): boolean {
    const owner = this.#ownerOf(seq)
    return owner !== undefined && seq <= (this.#limitsOf(branch).get(owner) ?? -1)
  }

  /** Up to which position each ancestor is part of a branch. Cached for one branch, because callers ask entry by entry. */
  #limitsOf(branch: Branch): ReadonlyMap<Branch, number> {
    if (this.#limits?.branch !== branch) {
      const limits = new Map<Branch, number>()
      let limit = Infinity
      for (let at: Branch | undefined = branch; at; at = at.parent) {
        limits.set(at, limit)
        limit = Math.min(limit, at.cut)
      }
      this.#limits = { branch, limits }
    }
    return this.#limits.limits
  }

  #ownerOf(seq: number): Branch | undefined {
    return this.#spans[countWhile(this.#spans, span => span.seq <= seq) - 1]?.branch
  }

  /** Finds the branch that has a position: one before a fork is in the parent. A branch without own items up to there is skipped, so that chains of parents stay short. */
  #locate(branch: Branch, after: number): BranchPoint {
    let [parent, cut] = [branch, after]
    while (parent.parent && cut < parent.seq) {
      cut = Math.min(cut, parent.cut)
      parent = parent.parent
    }
    const { items } = parent
    let count = countWhile(items, item => seqOf(item) <= cut)
    const following = items[count]
    while (parent.parent && count === 0) {
      cut = parent.cut
      count = parent.base - parent.parent.base
      parent = parent.parent
    }
    return { parent, count, cut, following }
  }

  /** The last step that the model can see there. */
  #lastStep({ parent, count }: BranchPoint): RecordedStep | undefined {
    if (count === parent.items.length) return parent.last
    let end = count
    for (let branch: Branch | undefined = parent; branch; branch = branch.parent) {
      for (let index = end - 1; index >= 0; index--) {
        const item = branch.items[index]
        if (item && isVisibleStep(item)) return item.step
      }
      end = branch.base - (branch.parent?.base ?? 0)
    }
    return undefined
  }
}

export const mainBranch = 1

const openCallsOf = (step: RecordedStep | undefined, after: number): readonly JournalCall[] =>
  step?.calls.filter(
    ({ settledSeq }, index) =>
      !step.response.calls[index]?.answered && !(settledSeq !== undefined && settledSeq <= after),
  ) ?? []

/** The step with a placeholder for its open calls. The calls themselves stay as they are on the branch that made them. */
const withoutOpenCalls = (step: RecordedStep, open: ReadonlySet<JournalCall>, settledSeq: number): RecordedStep => ({
  ...step,
  calls: step.calls.map(call => (open.has(call) ? dropped(call, settledSeq) : call)),
})

function dropped({ edited: _, ...call }: JournalCall, settledSeq: number): JournalCall {
  return { ...call, outcome: notCarriedOver, settledSeq }
}

const notCarriedOver = placeholderOutcome(
  'unknown',
  'it was not carried over to this branch of the conversation, which begins while the call was open',
)

const isVisibleStep = (item: ThreadItem): item is Extract<ThreadItem, { kind: 'step' }> =>
  item.kind === 'step' && item.step.response.messages.length > 0
