import type { Entry } from '../entry.ts'
import type { ThreadState } from '../fold.ts'
import { mainBranch } from './branch-tree.ts'
import { branchOf, treeOf } from './decide-branch.ts'

export interface ForkOptions {
  /** The last entry, by its sequence number, that belongs to both branches; by default the last one of the thread. */
  readonly at?: number
  /** The branch to leave; by default the current one. */
  readonly branch?: number
  /** If calls are open at that position: throw, or give them a placeholder on the new branch. On the branch that made them they continue. */
  readonly openCalls?: 'reject' | 'drop'
}

export interface SwitchOptions {
  /** While the thread has a turn, running or parked: throw, or interrupt the turn. Then the branch is the current one when the turn has ended. */
  readonly whenBusy?: 'reject' | 'interrupt'
}

export interface EditOptions {
  /** An idempotency key, as for `submit`. */
  readonly key?: string
  /** Throw (`branch-changed`) and write nothing if another branch is the current one by now. */
  readonly ifCurrent?: number
}

export interface RegenerateOptions {
  /** The input to answer again, by the `seq` of its receipt; by default the last one. */
  readonly input?: number
  /** Throw (`branch-changed`) and write nothing if another branch is the current one by now. */
  readonly ifCurrent?: number
}

/** A branch of a thread. The main branch has number 1, and neither `from` nor `at`. */
export interface ThreadBranch {
  readonly branch: number
  /** The branch that it left, and the last sequence number that belongs to both. */
  readonly from?: number
  readonly at?: number
  readonly createdAt?: number
  readonly isCurrent: boolean
}

export function branchesOf({ tree }: ThreadState): ThreadBranch[] {
  if (!tree) return [{ branch: mainBranch, isCurrent: true }]
  return tree.branches.map(branch => ({
    branch: branch.branch,
    ...(branch.from === undefined ? {} : { from: branch.from, at: branch.after, createdAt: branch.createdAt }),
    isCurrent: branch === tree.current,
  }))
}

/** `given` is what the caller wrote. */
export function assertBranch(state: ThreadState, branch: number, given: unknown = branch): void {
  branchOf(treeOf(state), branch, given)
}

/** Input is stored for the thread, and may join a branch later. */
export function isOfBranch({ tree }: ThreadState, { kind, seq }: Entry, branch: number): boolean {
  const found = tree?.get(branch)
  return !tree || kind === 'input-submit' || (found !== undefined && tree.hasEntry(found, seq))
}
