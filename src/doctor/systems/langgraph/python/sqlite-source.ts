import type { DatabaseSync } from 'node:sqlite'
import { fileError } from '../../../files/file-error.ts'
import type { Database } from '../../../sqlite.ts'
import type { StoreRepair } from '../../../system.ts'
import { blobOf, type CheckpointThread, checkpointBytesMax } from '../checkpoint.ts'
import { isSame, update } from '../examine-thread.ts'
import { isInterrupted } from '../waiting.ts'
import { furtherChannelsIn, type PackedValue, readPythonCheckpoint } from './python-checkpoint.ts'
import type { DiscardedWrite, PythonSource } from './python-source.ts'

/** A thread of LangGraph for Python in SQLite, where a checkpoint holds the values of its channels. */
export function sqliteSource(database: Database, thread: CheckpointThread, place: string): PythonSource {
  const { look } = database
  const { thread_id, checkpoint_ns, checkpoint_id } = thread
  const key = [thread_id, checkpoint_ns, checkpoint_id] as const
  const blob = blobOf(look, thread, place)
  return {
    thread,
    checkpoint: readPythonCheckpoint(blob, place),
    isInterrupted: isInterrupted(look, thread),
    written: new Set(
      look
        .prepare(channels)
        .all(...key)
        .map(row => String(row.channel)),
    ),
    hasSends: look.prepare(sends).get(...key) !== undefined,
    discarded: channel => look.prepare(candidates).iterate(...key, channel) as unknown as Iterable<DiscardedWrite>,
    valueAt: async (id, channel) => valueAt(look, { ...thread, checkpoint_id: id }, channel),
    repairWith: (_, bytes): StoreRepair => ({
      files: database.files,
      isShared: true,
      apply: async assertUnused =>
        database.change(change => {
          if (!isSame(blobOf(change, thread, place), blob))
            throw fileError(
              place,
              'it changed during the repair, so nothing was written',
              'close its program and try again',
            )
          change.prepare(update).run(bytes, ...key)
        }, assertUnused),
    }),
  }
}

/** Channels with messages besides the one that counts as the history. */
export function furtherPythonChannels(database: DatabaseSync, thread: CheckpointThread): string[] {
  try {
    return furtherChannelsIn(readPythonCheckpoint(blobOf(database, thread, ''), ''))
  } catch {
    return []
  }
}

function valueAt(database: DatabaseSync, thread: CheckpointThread, channel: string): PackedValue | undefined {
  try {
    return readPythonCheckpoint(blobOf(database, thread, ''), '').values.get(channel)
  } catch {
    return undefined
  }
}

const channels = 'SELECT DISTINCT channel FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?'

const sends = `SELECT 1 FROM checkpoints c JOIN writes w
    ON w.thread_id = c.thread_id AND w.checkpoint_ns = c.checkpoint_ns AND w.checkpoint_id = c.parent_checkpoint_id
  WHERE c.thread_id = ? AND c.checkpoint_ns = ? AND c.checkpoint_id = ? AND w.channel = '__pregel_tasks'`

/** Writes of earlier checkpoints that contain results, the newest first. */
const candidates = `WITH RECURSIVE line(id, parent) AS (
    SELECT checkpoint_id, parent_checkpoint_id FROM checkpoints
      WHERE thread_id = ?1 AND checkpoint_ns = ?2 AND checkpoint_id = ?3
    UNION
    SELECT c.checkpoint_id, c.parent_checkpoint_id FROM line JOIN checkpoints c
      ON c.thread_id = ?1 AND c.checkpoint_ns = ?2 AND c.checkpoint_id = line.parent
  )
  SELECT w.checkpoint_id AS checkpointId, w.value AS value FROM line JOIN writes w
    ON w.thread_id = ?1 AND w.checkpoint_ns = ?2 AND w.checkpoint_id = line.id
  WHERE line.id <> ?3 AND w.channel = ?4 AND w.type = 'msgpack' AND length(w.value) <= ${checkpointBytesMax}
    AND typeof(w.value) = 'blob' AND instr(w.value, CAST('tool_call_id' AS BLOB)) > 0
  ORDER BY w.checkpoint_id DESC, w.task_id, w.idx`
