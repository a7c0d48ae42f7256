import type { DatabaseSync } from 'node:sqlite'
import { blobOf, type CheckpointThread, type ReadCheckpoint, readCheckpoint } from './checkpoint.ts'
import { DiscardedResults } from './discarded-results.ts'
import { type OwnWrites, ownWritesOf } from './stale-writes.ts'
import { type Tasks, tasksOf } from './waiting.ts'

/**
 * What is read of a thread, once for all of its channels: an untrusted checkpoint can have as many channels as bytes.
 * Each is read on demand.
 */
export interface ThreadReads {
  readonly thread: CheckpointThread
  readonly checkpoint: () => ReadCheckpoint
  readonly tasks: () => Tasks
  readonly ownWrites: () => OwnWrites
  readonly discarded: () => DiscardedResults
}

export function threadReadsOf(look: DatabaseSync, thread: CheckpointThread, place: string): ThreadReads {
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
