import { AntiphonError } from '../../core/errors.ts'
import type { EntryData } from '../entry.ts'
import type { ThreadState } from '../fold.ts'
import type { Write } from '../stores/store.ts'
import { type Branch, BranchTree } from './branch-tree.ts'

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

/** What is written; without entries there is nothing to write. */
interface BranchWrite extends Pick<Write, 'release' | 'state' | 'dueAt'> {
  readonly entries: readonly EntryData[]
  readonly why?: 'nothing'
}

/** A fork adds a branch and changes nothing else, so that a running turn goes on. */
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
      `${open.length} calls are open at entry ${at}, so no branch can begin there`,
      {
        hint: "fork before or after them, or pass openCalls: 'drop' to leave them behind",
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
  if (target === (tree.next ?? tree.current)) return { entries: [], why: 'nothing' }
  const entry: EntryData = { kind: 'branch-switch', branch }
  if (!turn) return { entries: [entry], dueAt: dueAtOn(state, target) }
  // The switch that waited for the end of the turn is taken back.
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

/** When there is something to do after the turn has ended, on the branch that is the current one then. */
export const dueAtEnd = (state: ThreadState): 'now' | null =>
  state.tree ? dueAtOn(state, state.tree.next ?? state.tree.current) : dueIf(state.waiting.length > 0)

function dueAtOn({ tree, waiting }: ThreadState, branch: Branch): 'now' | null {
  if (branch === tree?.current) return dueIf(waiting.length > 0)
  return dueIf(branch.waiting.length > 0 || waiting.some(input => input.branch === undefined))
}

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
