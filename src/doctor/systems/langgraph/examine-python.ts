import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { examineList } from '../../examine-list.ts'
import { fileError } from '../../files/file-error.ts'
import { withTemplateQuotes } from '../../quote.ts'
import type { RecordFields } from '../../record-format.ts'
import type { Database } from '../../sqlite.ts'
import type { Examination } from '../../system.ts'
import { blobOf, type CheckpointThread } from './checkpoint.ts'
import { isSame, listOptions, nothingSaid, update } from './examine-thread.ts'
import { completed, kwargsOf } from './made-message.ts'
import {
  messageChannels,
  type PythonCheckpoint,
  pythonMessages,
  readPythonCheckpoint,
  withMessages,
} from './python-checkpoint.ts'
import { tasksOf, waitingIn } from './waiting.ts'

/** Channels with messages besides the one that counts as the history. */
export function furtherPythonChannels(database: DatabaseSync, thread: CheckpointThread): string[] {
  try {
    return messageChannels(readPythonCheckpoint(blobOf(database, thread, ''), '')).slice(1)
  } catch {
    return []
  }
}

/** Judges a thread of LangGraph for Python. Only the newest checkpoint counts, and only its messages are repaired. */
export function examinePythonThread(
  database: Database,
  thread: CheckpointThread,
  place: string,
  named: string | undefined,
): Examination {
  const checkpoint = readPythonCheckpoint(blobOf(database.look, thread, place), place)
  const channel = named ?? messageChannels(checkpoint)[0]
  if (channel === undefined) {
    if (checkpoint.isDelta)
      throw fileError(place, 'its messages are kept as differences (DeltaChannel), which are not read')
    return nothingSaid
  }
  const list = pythonMessages(checkpoint, channel, place)
  const waiting = waitingFor(database.look, thread, checkpoint, channel, list.messages)
  const { messages, ...examined } = examineList(list.messages, { ...listOptions, orphans: 'drop' }, waiting)
  if (examined.repairs.length === 0)
    return { ...examined, notes: examined.state === 'pending' && waiting.note ? [waiting.note] : [] }
  const before = new Set<unknown>(list.messages)
  const healed = messages.map((message, index) =>
    before.has(message) ? message : pythonResult(message, thread, index),
  )
  const blob = withMessages(checkpoint, list, healed)
  const { thread_id, checkpoint_ns, checkpoint_id } = thread
  return {
    ...examined,
    repairs: examined.repairs.map(withTemplateQuotes),
    notes: [],
    storeRepair: {
      files: database.files,
      isShared: true,
      apply: async last =>
        database.change(change => {
          if (!isSame(blobOf(change, thread, place), checkpoint.blob))
            throw fileError(
              place,
              'it changed during the repair, so nothing was written',
              'close its program and try again',
            )
          change.prepare(update).run(blob, thread_id, checkpoint_ns, checkpoint_id)
        }, last),
    },
  }
}

/** Results in the writes of the newest checkpoint are those of a step that is not done. */
function waitingFor(
  database: DatabaseSync,
  thread: CheckpointThread,
  { pending }: PythonCheckpoint,
  channel: string,
  messages: readonly unknown[],
) {
  const { thread_id, checkpoint_ns, checkpoint_id } = thread
  const isWritten = database.prepare(writes).get(thread_id, checkpoint_ns, checkpoint_id, channel) !== undefined
  const open = [...pending, ...(isWritten ? ['branch:to:tools'] : [])]
  return waitingIn(tasksOf(database, thread, Object.fromEntries(open.map(name => [name, [name]]))), messages)
}

const writes = `SELECT 1 FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? AND channel = ?`

/** A new result with all fields that the class has in Python, in its order. A changed message stays as it is. */
function pythonResult(message: unknown, thread: CheckpointThread, index: number): unknown {
  const own = kwargsOf(message)
  if (!own || typeof own.tool_call_id !== 'string' || own.id !== undefined) return message
  const made = completed(message, thread, index)
  const { content, name, id, tool_call_id } = kwargsOf(made) as RecordFields
  const kwargs = {
    content,
    ...{ additional_kwargs: {}, response_metadata: {} },
    type: 'tool',
    name: name ?? null,
    id,
    tool_call_id,
    artifact: null,
    status: 'error',
  }
  return isRecord(made) ? { ...made, kwargs } : made
}
