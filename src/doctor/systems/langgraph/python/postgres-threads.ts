import { fileError } from '../../../files/file-error.ts'
import { type Connection, connect, inTransaction, otherProgram } from '../../../postgres/connection.ts'
import type { ConversationStore, StoredConversation, StoreRepair } from '../../../system.ts'
import { type CheckpointThread, idOf } from '../checkpoint.ts'
import { nothingSaid } from '../examine-thread.ts'
import { examinePythonThread } from './examine-python.ts'
import { keepMessages } from './kept-messages.ts'
import { blobRows, type CheckpointRows, earlierWrites, newestRows, threadKeys, writeBlob } from './postgres-rows.ts'
import { messageChannels, readSplitCheckpoint, wholeValue } from './python-checkpoint.ts'
import type { PythonSource } from './python-source.ts'
import { checkpointTables } from './tables.ts'

/** Opens the threads that LangGraph for Python keeps in PostgreSQL. */
export async function openPostgresThreads(address: string): Promise<ConversationStore> {
  const connection = await connect(address, checkpointTables)
  try {
    await mustHaveVersions(connection)
  } catch (error) {
    await connection.end()
    throw error
  }
  return {
    async *conversations() {
      for (const key of await threadKeys(connection)) yield* conversationsOf(connection, key)
    },
    close: () => connection.end(),
  }
}

/** `ShallowPostgresSaver` has the same tables without versions. */
async function mustHaveVersions({ query, place }: Connection): Promise<void> {
  const columns = await query(
    `select attname from pg_attribute
     where attrelid = to_regclass('checkpoint_blobs') and attname = 'version' and not attisdropped`,
    [],
  )
  if (columns.length === 0)
    throw fileError(place, 'its checkpoints are those of ShallowPostgresSaver, which are not read')
}

type ThreadKey = Pick<CheckpointThread, 'thread_id' | 'checkpoint_ns'>

/** The conversations of a thread: its history, and every other channel with messages. */
async function* conversationsOf(connection: Connection, key: ThreadKey): AsyncGenerator<StoredConversation> {
  const placeOf = (channel?: string): string => `${connection.place}, thread ${idOf(key, channel)}`
  const conversation = (channel?: string): StoredConversation => ({
    id: idOf(key, channel),
    examine: async () => {
      const place = placeOf(channel)
      const rows = await newestRows(connection, key, place)
      return rows ? examinePythonThread(sourceOf(connection, key, rows, place), place, channel) : nothingSaid
    },
  })
  yield conversation()
  for (const channel of await furtherChannels(connection, key, placeOf())) yield conversation(channel)
}

async function furtherChannels(connection: Connection, key: ThreadKey, place: string): Promise<string[]> {
  try {
    const rows = await newestRows(connection, key, place)
    return rows ? messageChannels(sourceOf(connection, key, rows, place).checkpoint).slice(1) : []
  } catch {
    return []
  }
}

function sourceOf(connection: Connection, key: ThreadKey, rows: CheckpointRows, place: string): PythonSource {
  const { checkpointId, text, blobs, written, hasSends } = rows
  const known = new Map(blobs.filter(({ type }) => type === 'msgpack').map(({ channel, blob }) => [channel, blob]))
  const foreign = blobs.find(({ channel, type }) => channel === 'messages' && type !== 'msgpack')
  if (foreign)
    throw fileError(
      place,
      `its messages are written as ${foreign.type}, and in PostgreSQL only those of Python (msgpack) can be read`,
    )
  return {
    thread: { ...key, checkpoint_id: checkpointId, type: 'msgpack' },
    checkpoint: readSplitCheckpoint(JSON.parse(text), known, place),
    isInterrupted: written.has('__interrupt__'),
    written,
    hasSends,
    discarded: channel => earlierWrites(connection, { ...key, checkpointId }, channel),
    async valueAt(id, channel) {
      const [row] = await blobRows(connection, { ...key, checkpointId: id }, place, channel).catch(() => [])
      return row?.type === 'msgpack' ? wholeValue(row.blob) : undefined
    },
    repairWith: (channel, bytes) => repairOf(connection, key, rows, channel, bytes, place),
  }
}

function repairOf(
  connection: Connection,
  key: ThreadKey,
  rows: CheckpointRows,
  channel: string,
  bytes: Buffer,
  place: string,
): StoreRepair {
  const before = rows.blobs.find(row => row.channel === channel)
  if (!before) throw fileError(place, `its channel ${channel} has no value`)
  const mustBeSame = async (): Promise<void> => {
    const standing = await newestRows(connection, key, place)
    if (!standing || !isSame(standing, rows))
      throw fileError(place, 'it changed during the repair, so nothing was written', 'close its program and try again')
  }
  return {
    files: [],
    isShared: true,
    users: () => otherProgram(connection),
    keep: async backup => {
      backup.addData(keepMessages(key, rows.checkpointId, before, bytes))
      await mustBeSame()
    },
    apply: last =>
      inTransaction(connection, checkpointTables.tables, async () => {
        await mustBeSame()
        last?.()
        await writeBlob(connection, key, before, bytes)
      }),
  }
}

/** Whether the newest checkpoint, its values and its writes are those that were examined. */
const isSame = (one: CheckpointRows, other: CheckpointRows): boolean =>
  one.checkpointId === other.checkpointId &&
  one.text === other.text &&
  [...one.written].sort().join('\n') === [...other.written].sort().join('\n') &&
  one.blobs.length === other.blobs.length &&
  one.blobs.every(blob =>
    other.blobs.some(two => two.channel === blob.channel && two.version === blob.version && two.blob.equals(blob.blob)),
  )
