import type { RecordFields } from '../../../record-format.ts'
import type { StoreRepair } from '../../../system.ts'
import type { CheckpointThread } from '../checkpoint.ts'
import { isCalling, keyOf, ResultsByCall, resultId } from '../discarded-results.ts'
import { messagesIn, type PackedValue, type PythonCheckpoint, wholeValue } from './python-checkpoint.ts'

/** A thread of LangGraph for Python, wherever its checkpoints are. */
export interface PythonSource {
  readonly thread: CheckpointThread
  readonly checkpoint: PythonCheckpoint
  readonly isInterrupted: boolean
  /** The channels with writes of the step after the newest checkpoint. */
  readonly written: ReadonlySet<string>
  /** The step before the newest checkpoint wrote tasks: before version 4 they are only there. */
  readonly hasSends: boolean
  /** Writes of the checkpoints before the newest one that may contain results, the newest first. */
  discarded(channel: string): Iterable<DiscardedWrite> | AsyncIterable<DiscardedWrite>
  /** The value of a channel in one of these checkpoints; undefined if it cannot be read. */
  valueAt(checkpointId: string, channel: string): Promise<PackedValue | undefined>
  /** Replaces the bytes that hold the messages of a channel. */
  repairWith(channel: string, bytes: Buffer): StoreRepair
}

export interface DiscardedWrite {
  readonly checkpointId: string
  readonly value: Uint8Array
}

/**
 * The results of calls that discarded steps left in the writes of earlier checkpoints. A result counts for one message
 * only, the last one with calls in the checkpoint whose step produced it, because call ids are reused in later turns.
 */
export async function discardedResults(
  source: PythonSource,
  channel: string,
  needed: ReadonlySet<unknown>,
): Promise<ResultsByCall> {
  const results = new ResultsByCall()
  if (needed.size === 0) return results
  const keys = new Map<string, unknown>()
  const keysOf = new WeakMap<PackedValue, unknown>()
  const keyIn = (value: PackedValue | undefined): unknown => {
    if (!value) return undefined
    if (!keysOf.has(value)) keysOf.set(value, lastCalls(value))
    return keysOf.get(value)
  }
  for await (const { checkpointId, value } of source.discarded(channel)) {
    const written = messagesOf(value).filter(message => needed.has(resultId(message)))
    if (written.length === 0) continue
    if (!keys.has(checkpointId))
      keys.set(checkpointId, keyIn(await source.valueAt(checkpointId, channel).catch(() => undefined)))
    for (const message of written) results.add(channel, keys.get(checkpointId), message)
  }
  return results
}

/** The identity of the last message with calls. */
function lastCalls(value: PackedValue): unknown {
  const last = tolerant(() => messagesIn(value)).findLast(isCalling)
  return last && keyOf(last)
}

const messagesOf = (bytes: Uint8Array): RecordFields[] => tolerant(() => messagesIn(wholeValue(bytes)))

/** The messages of bytes; none if they cannot be read. */
function tolerant(read: () => RecordFields[]): RecordFields[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}
