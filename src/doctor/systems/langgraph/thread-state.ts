import type { DatabaseSync } from 'node:sqlite'
import { blobOf, type ReadCheckpoint, readCheckpoint, type Thread } from './checkpoint.ts'
import { DiscardedResults } from './discarded-results.ts'
import { type OwnWrites, ownWritesOf } from './stale-writes.ts'
import { type Tasks, tasksOf } from './waiting.ts'

/**
 * What is read of a thread, once for all of its channels: a checkpoint from somebody else can have as many channels as it has bytes.
 * Each is read when it is first asked for.
 */
export interface ThreadState {
  readonly thread: Thread
  readonly checkpoint: () => ReadCheckpoint
  readonly tasks: () => Tasks
  readonly ownWrites: () => OwnWrites
  readonly discarded: () => DiscardedResults
}

export function threadStateOf(look: DatabaseSync, thread: Thread, place: string): ThreadState {
  const checkpoint = once(() => readCheckpoint(blobOf(look, thread, place), place))
  return {
    thread,
    checkpoint,
    tasks: once(() => tasksOf(look, thread, checkpoint().values)),
    ownWrites: once(() => ownWritesOf(look, thread)),
    discarded: once(() => new DiscardedResults(look, thread)),
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
