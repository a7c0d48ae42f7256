import type { Store } from '../../../src/journal/stores/store.ts'
import type { Fate } from './remote-store.ts'

/** The n-th change that a process asks for, and whether it crashes before that is done or after. */
export interface CrashPoint {
  readonly change: number
  readonly when: 'before' | 'after'
}

/** Reads change nothing, so a crash around one is a crash around the change before it. */
export function fateOf(crash: CrashPoint | undefined): (operation: keyof Store) => Fate {
  let changes = 0
  return operation => {
    if (!crash || !changing.has(operation) || ++changes !== crash.change) return 'done'
    return `crash-${crash.when}`
  }
}

/** The same, for a process that loses its store there and lives on. */
export function lossOf({ change, when }: CrashPoint, onLoss: () => void): (operation: keyof Store) => Fate {
  let changes = 0
  return operation => {
    if (changing.has(operation)) changes++
    if (changes < change) return 'done'
    onLoss()
    // Everything after the change is lost, and the change itself or its answer.
    const isFirst = changing.has(operation) && changes === change
    return isFirst && when === 'after' ? 'answer-lost' : 'request-lost'
  }
}

const changing = new Set<keyof Store>(['open', 'write', 'renew', 'erase'])
