import { withPassword } from '../../../address.ts'
import { fileError } from '../../../files/file-error.ts'
import { type Connection, connect, inTransaction } from '../../../postgres/connection.ts'
import type { CheckpointThread } from '../checkpoint.ts'
import { type BlobRow, bytesOf, writeBlob } from './postgres-rows.ts'
import { checkpointTables } from './tables.ts'

/** What a backup holds of a thread in PostgreSQL: the messages of one version, before and after the repair. */
interface Kept {
  readonly thread_id: string
  readonly checkpoint_ns: string
  /** The newest checkpoint at that time: restoring is possible only while it is. */
  readonly checkpoint_id: string
  readonly channel: string
  readonly version: string
  /** Bytes in base64. */
  readonly before: string
  readonly after: string
}

export function keepMessages(
  { thread_id, checkpoint_ns }: Pick<CheckpointThread, 'thread_id' | 'checkpoint_ns'>,
  checkpointId: string,
  { channel, version, blob }: BlobRow,
  after: Buffer,
): Uint8Array {
  const [was, is] = [blob, after].map(bytes => bytes.toString('base64')) as [string, string]
  const about = { thread_id, checkpoint_ns, checkpoint_id: checkpointId, channel, version }
  return Buffer.from(JSON.stringify({ ...about, before: was, after: is } satisfies Kept))
}

/**
 * Restores the messages of a thread as they were before its repair, unless the thread was continued. The present ones
 * are backed up.
 */
export async function restoreMessages(
  data: Uint8Array,
  address: string,
  keep: (present: Uint8Array) => void,
): Promise<void> {
  const kept = JSON.parse(Buffer.from(data).toString('utf8')) as Kept
  const connection = await connect(withPassword(address, process.env.DATABASE_URL), checkpointTables)
  try {
    await inTransaction(connection, checkpointTables.tables, async () => {
      const present = await presentBytes(connection, kept)
      if (present === kept.before) return
      if (present !== kept.after || (await newestId(connection, kept)) !== kept.checkpoint_id)
        throw fileError(
          connection.place,
          `thread ${kept.thread_id} was continued since the repair, so nothing was restored`,
          'the earlier messages are in the file "data" of the backup',
        )
      keep(Buffer.from(JSON.stringify({ ...kept, before: present, after: kept.before } satisfies Kept)))
      await writeBlob(connection, kept, kept, Buffer.from(kept.before, 'base64'))
      if ((await presentBytes(connection, kept)) !== kept.before)
        throw fileError(
          connection.place,
          `thread ${kept.thread_id}: the messages read back differ from the backup, so nothing was restored`,
          'check the triggers of checkpoint_blobs',
        )
    })
  } finally {
    await connection.end()
  }
}

async function presentBytes(
  { query }: Connection,
  { thread_id, checkpoint_ns, channel, version }: Kept,
): Promise<string | undefined> {
  const [row] = await query(
    `select encode(blob, 'base64') as blob from checkpoint_blobs
     where thread_id = $1 and checkpoint_ns = $2 and channel = $3 and version = $4`,
    [thread_id, checkpoint_ns, channel, version],
  )
  return row && bytesOf(row.blob).toString('base64')
}

async function newestId({ query }: Connection, { thread_id, checkpoint_ns }: Kept): Promise<unknown> {
  const [row] = await query(
    `select checkpoint_id from checkpoints where thread_id = $1 and checkpoint_ns = $2
     order by checkpoint_id desc limit 1`,
    [thread_id, checkpoint_ns],
  )
  return row?.checkpoint_id
}
