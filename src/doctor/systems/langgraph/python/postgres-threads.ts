import { fileError } from '../../../files/file-error.ts'
import { type Connection, connect, inTransaction, otherProgram } from '../../../postgres/connection.ts'
import type { ConversationStore, Examination, StoredConversation, StoreRepair } from '../../../system.ts'
import { type CheckpointThread, idOf } from '../checkpoint.ts'
import { nothingSaid } from '../examine-thread.ts'
import { examinePythonThread } from './examine-python.ts'
import { keepMessages } from './kept-messages.ts'
import {
  type BlobRow,
  blobRows,
  type CheckpointRows,
  earlierWrites,
  newestHead,
  newestRows,
  threadKeys,
  versionAt,
  writeBlob,
} from './postgres-rows.ts'
import { furtherChannelsIn, type PackedValue, readSplitCheckpoint, wholeValue } from './python-checkpoint.ts'
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

/**
 * The conversations of a thread: its history, and every other channel with messages. The checkpoint is read once for
 * all of them, and again after a repair.
 */
async function* conversationsOf(connection: Connection, key: ThreadKey): AsyncGenerator<StoredConversation> {
  const placeOf = (channel?: string): string => `${connection.place}, thread ${idOf(key, channel)}`
  let shared: Promise<PythonSource | undefined> | undefined
  const forget = (): void => {
    shared = undefined
  }
  const read = (): Promise<PythonSource | undefined> => {
    shared ??= readSource(connection, key, placeOf(), forget)
    return shared
  }
  const conversation = (channel?: string): StoredConversation => {
    let isExamined = false
    const examine = async (): Promise<Examination> => {
      if (isExamined) forget()
      isExamined = true
      const source = await read()
      return source ? examinePythonThread(source, placeOf(channel), channel) : nothingSaid
    }
    return { id: idOf(key, channel), examine }
  }
  yield conversation()
  const source = await read().catch(() => undefined)
  for (const channel of source ? furtherChannelsIn(source.checkpoint) : []) yield conversation(channel)
}

async function readSource(
  connection: Connection,
  key: ThreadKey,
  place: string,
  forget: () => void,
): Promise<PythonSource | undefined> {
  const rows = await newestRows(connection, key, place)
  return rows && sourceOf(connection, key, rows, place, forget)
}

function sourceOf(
  connection: Connection,
  key: ThreadKey,
  rows: CheckpointRows,
  place: string,
  forget: () => void,
): PythonSource {
  const { checkpointId, text, blobs, written, hasSends } = rows
  const foreign = blobs.find(({ channel, type }) => channel === 'messages' && type !== 'msgpack')
  if (foreign)
    throw fileError(
      place,
      `its messages are written as ${foreign.type}, and in PostgreSQL only those of Python (msgpack) can be read`,
    )
  return {
    thread: { ...key, checkpoint_id: checkpointId, type: 'msgpack' },
    checkpoint: readSplitCheckpoint(JSON.parse(text), blobs, place),
    isInterrupted: written.has('__interrupt__'),
    written,
    hasSends,
    discarded: channel => earlierWrites(connection, { ...key, checkpointId }, channel),
    valueAt: valuesAt(connection, key, place),
    repairWith(channel, bytes) {
      const before = rows.blobs.find(row => row.channel === channel)
      if (!before) throw fileError(place, `its channel ${channel} has no value`)
      return repairOf({ connection, key, place, rows, before, forget }, bytes)
    },
  }
}

/** Reads values of earlier checkpoints. Checkpoints that follow each other often have the same value: it is read once. */
function valuesAt(connection: Connection, key: ThreadKey, place: string): PythonSource['valueAt'] {
  let last: { readonly channel: string; readonly version: string; readonly value: PackedValue | undefined } | undefined
  return async (checkpointId, channel) => {
    const version = await versionAt(connection, { ...key, checkpointId }, channel)
    if (version === undefined) return undefined
    if (last?.channel === channel && last.version === version) return last.value
    const [row] = await blobRows(connection, { ...key, checkpointId }, place, channel).catch(() => [])
    const value = row?.type === 'msgpack' ? wholeValue(row.blob) : undefined
    last = { channel, version, value }
    return value
  }
}

/** The messages that a repair replaces, and where they were read. */
interface Replaced {
  readonly connection: Connection
  readonly key: ThreadKey
  readonly place: string
  readonly rows: CheckpointRows
  readonly before: BlobRow
  readonly forget: () => void
}

function repairOf(replaced: Replaced, bytes: Buffer): StoreRepair {
  const { connection, key, place, rows, before, forget } = replaced
  const mustBeSame = async (): Promise<void> => {
    if (!(await isAsExamined(replaced)))
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
    apply: async assertUnused => {
      forget()
      await inTransaction(connection, checkpointTables.tables, async () => {
        await mustBeSame()
        assertUnused?.()
        await writeBlob(connection, key, before, bytes)
        const written = await presentValue(replaced)
        if (!written?.blob.equals(bytes))
          throw fileError(
            place,
            'the messages read back differ from the repair, so nothing was written',
            'check the triggers, rules and policies of checkpoint_blobs',
          )
      })
    },
  }
}

async function presentValue({ connection, key, place, rows, before }: Replaced): Promise<BlobRow | undefined> {
  const [row] = await blobRows(connection, { ...key, checkpointId: rows.checkpointId }, place, before.channel)
  return row
}

/**
 * Whether the newest checkpoint, its writes and the messages are those that were examined. The checkpoint names the
 * versions of all values, and the value of a version does not change.
 */
async function isAsExamined(replaced: Replaced): Promise<boolean> {
  const { connection, key, rows, before } = replaced
  const standing = await newestHead(connection, key)
  const value = await presentValue(replaced)
  return (
    standing !== undefined &&
    standing.checkpointId === rows.checkpointId &&
    standing.text === rows.text &&
    [...standing.written].sort().join('\n') === [...rows.written].sort().join('\n') &&
    value?.version === before.version &&
    value.blob.equals(before.blob)
  )
}
