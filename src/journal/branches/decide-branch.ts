import { AntiphonError } from '../../core/errors.ts'
import type { BranchFork, EntryData, InputSubmit } from '../entry.ts'
import type { ThreadState } from '../fold.ts'
import type { Write } from '../stores/store.ts'
import { type Branch, BranchTree } from './branch-tree.ts'
import type { ThreadItem } from './thread-item.ts'

export interface ForkCommand {
  readonly do: 'fork'
  /** The branch to leave; by default the current one. */
  readonly from?: number
  /** The last sequence number that belongs to both; by default the last one of the thread. */
  readonly at?: number
  /** The new branch may begin while calls are open. */
  readonly dropsOpenCalls: boolean
}

export interface SwitchCommand {
  readonly do: 'switch'
  readonly branch: number
  /** A turn that runs is interrupted. */
  readonly interrupts: boolean
}

/** Replaces an input of the history on a new branch. */
export interface EditCommand {
  readonly do: 'edit'
  /** The sequence number of the input. */
  readonly input: number
  readonly edited: InputSubmit
  readonly ifCurrent?: number
}

/** Answers an input again on a new branch. */
export interface RegenerateCommand {
  readonly do: 'regenerate'
  /** The sequence number of the input; by default the last one. */
  readonly input?: number
  readonly ifCurrent?: number
}

/** The planned write; without entries nothing is written. */
interface BranchWrite extends Pick<Write, 'release' | 'state' | 'dueAt'> {
  readonly entries: readonly EntryData[]
  readonly why?: 'nothing'
}

/** A fork adds a branch and changes nothing else, so a running turn continues. */
export function fork(state: ThreadState, { from, at = state.head, dropsOpenCalls }: ForkCommand): BranchWrite {
  const tree = treeOf(state)
  const branch = from === undefined ? tree.current : branchOf(tree, from)
  if (!Number.isInteger(at) || at < 0 || at > state.head)
    throw new AntiphonError('wrong-number', `at must be the sequence number of an entry, got ${at}`, {
      hint: `use an integer from 0 to ${state.head}`,
    })
  const open = tree.openCallsAt(branch, at)
  if (open.length > 0 && !dropsOpenCalls)
    throw new AntiphonError(
      'open-calls',
      `a branch cannot begin at entry ${at}, where ${open.length === 1 ? '1 call has' : `${open.length} calls have`} no result yet`,
      {
        hint: "fork before or after them, or pass openCalls: 'drop' to give them placeholders on the new branch",
        calls: open.map(({ id }) => id),
      },
    )
  return { entries: [{ kind: 'branch-fork', branch: tree.branches.length + 1, from: branch.branch, after: at }] }
}

/** `interrupt` is the write that interrupts the turn. */
export function switchBranch(
  state: ThreadState,
  { branch, interrupts }: SwitchCommand,
  interrupt: () => Omit<BranchWrite, 'why'>,
): BranchWrite {
  const tree = treeOf(state)
  const target = branchOf(tree, branch)
  const { turn } = state
  if (target === tree.target) return { entries: [], why: 'nothing' }
  const entry: EntryData = { kind: 'branch-switch', branch }
  if (!turn) return { entries: [entry], dueAt: dueAtOn(state, target) }
  // Cancels a switch that waits for the end of the turn.
  if (target === tree.current) return { entries: [entry] }
  if (!interrupts)
    throw new AntiphonError('thread-busy', `turn ${turn.turn} runs on branch ${tree.current.branch}`, {
      hint: "wait for the turn to end, or pass whenBusy: 'interrupt'",
      turn: turn.turn,
    })
  const stop = interrupt()
  const entries = [...stop.entries, entry]
  // A turn without an owner ends with this write. Otherwise its owner ends it, and the switch takes effect then.
  return stop.state === 'idle' ? { ...stop, entries, dueAt: dueAtOn(state, target) } : { ...stop, entries }
}

/** Begins a branch with the edited input in place of the old one. Inputs that were admitted together with the old one, before it, stay before it. */
export function edit(
  state: ThreadState,
  { input, edited, ifCurrent }: EditCommand,
  interrupt: () => Omit<BranchWrite, 'why'>,
): BranchWrite {
  const tree = treeOf(state)
  assertCurrent(tree.target, ifCurrent)
  const { from, item, index } = placeOf(tree, input)
  const before = item.inputs.slice(0, index).map(({ seq }) => seq)
  const branch = tree.branches.length + 1
  const submit: EntryData = { ...edited, ...(before.length > 0 && { when: 'steer' }), branch, replaces: input }
  return newBranch(state, interrupt, { branch, from, after: item.seq - 1, inputs: before }, submit)
}

/** Begins a branch before the input. On it the input waits again, with the inputs that were admitted together with it and come before it. */
export function regenerate(
  state: ThreadState,
  { input, ifCurrent }: RegenerateCommand,
  interrupt: () => Omit<BranchWrite, 'why'>,
): BranchWrite {
  const tree = treeOf(state)
  assertCurrent(tree.target, ifCurrent)
  const target = tree.target
  // The same was requested before, and its turn has not begun.
  const isAskedFor = input === undefined ? target.waiting.size > 0 : target.waiting.has(input)
  if (isAskedFor) return { entries: [], why: 'nothing' }
  const { from, item, index } = input === undefined ? lastInputOf(tree, target) : placeOf(tree, input)
  const inputs = item.inputs.slice(0, index + 1).map(({ seq }) => seq)
  return newBranch(state, interrupt, { branch: tree.branches.length + 1, from, after: item.seq - 1, inputs })
}

/** Where an input is part of a history: the branch, the item, and its index in the item. */
interface InputPlace {
  readonly from: number
  readonly item: Extract<ThreadItem, { kind: 'input' }>
  readonly index: number
}

/** Searches the current branch, then the others: after a first edit the current branch no longer has the input, which can still be edited again. */
function placeOf(tree: BranchTree, input: number): InputPlace {
  const { target } = tree
  for (const home of [target, ...tree.branches.toReversed()]) {
    const items = home === target ? tree.itemsOf(home) : home.items
    const item = items.findLast(item => item.kind === 'input' && item.inputs.some(({ seq }) => seq === input))
    if (item?.kind === 'input')
      return { from: home.branch, item, index: item.inputs.findIndex(({ seq }) => seq === input) }
  }
  throw unknownInput(`input ${input} is not part of the history`, { input })
}

function lastInputOf(tree: BranchTree, branch: Branch): InputPlace {
  const item = tree.itemsOf(branch).findLast(({ kind }) => kind === 'input')
  if (item?.kind !== 'input') throw unknownInput('the branch has no input to answer again')
  return { from: branch.branch, item, index: item.inputs.length - 1 }
}

/** Throws if another branch is the current one. So a request that is sent twice is carried out once: the first makes a new branch the current one. */
export function assertCurrent({ branch }: Branch, ifCurrent: number | undefined): void {
  if (ifCurrent === undefined || ifCurrent === branch) return
  throw new AntiphonError('branch-changed', `the current branch is ${branch}, not ${ifCurrent}`, {
    hint: 'read the history of the current branch, and decide again',
    branch,
  })
}

function newBranch(
  { turn }: ThreadState,
  interrupt: () => Omit<BranchWrite, 'why'>,
  { inputs = [], ...fork }: Omit<BranchFork, 'kind'>,
  ...submits: EntryData[]
): BranchWrite {
  const { entries, release, state } = turn ? interrupt() : { entries: [] }
  return {
    ...(release && { release }),
    ...(state && { state }),
    entries: [
      ...entries,
      { kind: 'branch-fork', ...fork, ...(inputs.length > 0 && { inputs }) },
      { kind: 'branch-switch', branch: fork.branch },
      ...submits,
    ],
    dueAt: 'now',
  }
}

const unknownInput = (message: string, data: { input?: number } = {}): AntiphonError =>
  new AntiphonError('unknown-input', message, {
    hint: 'use the `seq` of a receipt whose input was added to the history',
    ...data,
  })

/** When the thread is due after the turn has ended: now, if input waits for the branch that is the current one then. */
export const dueAtEnd = (state: ThreadState): 'now' | null =>
  state.tree ? dueAtOn(state, state.tree.target) : dueIf(state.inputs.size > 0)

const dueAtOn = ({ inputs }: ThreadState, branch: Branch): 'now' | null =>
  dueIf(branch.waiting.size > 0 || inputs.size > 0)

const dueIf = (hasInput: boolean): 'now' | null => (hasInput ? 'now' : null)

/** The branches of the thread, also if there is only the main branch. */
export const treeOf = ({ tree, items }: ThreadState): BranchTree => tree ?? BranchTree.of(items)

export function branchOf(tree: BranchTree, branch: number, given: unknown = branch): Branch {
  const found = tree.get(branch)
  if (found) return found
  throw new AntiphonError('unknown-branch', `unknown branch ${given} of this thread`, {
    hint: `use a number from 1 to ${tree.branches.length}; 1 is the main branch`,
    branch,
  })
}
