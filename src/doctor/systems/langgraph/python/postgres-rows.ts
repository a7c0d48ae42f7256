import { fileError } from '../../../files/file-error.ts'
import type { Connection } from '../../../postgres/connection.ts'
import { type CheckpointThread, checkpointBytesMax } from '../checkpoint.ts'

/** The value of a channel, as its row has it. */
export interface BlobRow {
  readonly channel: string
  readonly version: string
  readonly type: string
  readonly blob: Buffer
}

/** What PostgreSQL has of the newest checkpoint of a thread, without the values of its channels. */
export interface CheckpointHead {
  readonly checkpointId: string
  /** The JSON of the checkpoint, as the server writes it. */
  readonly text: string
  /** The channels with writes of the step after it. */
  readonly written: ReadonlySet<string>
  readonly hasSends: boolean
}

/** The newest checkpoint of a thread, with all values. */
export interface CheckpointRows extends CheckpointHead {
  readonly blobs: readonly BlobRow[]
}

type ThreadKey = Pick<CheckpointThread, 'thread_id' | 'checkpoint_ns'>

/** All threads and their subgraphs. */
export async function threadKeys({ query }: Connection): Promise<ThreadKey[]> {
  const rows = await query('select distinct thread_id, checkpoint_ns from checkpoints order by 1, 2', [])
  return rows as unknown as ThreadKey[]
}

/** The newest checkpoint of a thread; undefined if there is none. */
export async function newestRows(
  connection: Connection,
  key: ThreadKey,
  place: string,
): Promise<CheckpointRows | undefined> {
  const head = await newestHead(connection, key)
  return head && { ...head, blobs: await blobRows(connection, { ...key, checkpointId: head.checkpointId }, place) }
}

export async function newestHead(
  { query }: Connection,
  { thread_id, checkpoint_ns }: ThreadKey,
): Promise<CheckpointHead | undefined> {
  const [newest] = await query(
    `select checkpoint_id, parent_checkpoint_id, checkpoint::text as text from checkpoints
     where thread_id = $1 and checkpoint_ns = $2 order by checkpoint_id desc limit 1`,
    [thread_id, checkpoint_ns],
  )
  if (!newest) return undefined
  const checkpointId = String(newest.checkpoint_id)
  const writes = await query(
    `select distinct checkpoint_id, channel from checkpoint_writes
     where thread_id = $1 and checkpoint_ns = $2 and (checkpoint_id = $3 or checkpoint_id = $4 and channel = '__pregel_tasks')`,
    [thread_id, checkpoint_ns, checkpointId, newest.parent_checkpoint_id],
  )
  const own = writes.filter(row => row.checkpoint_id === checkpointId)
  return {
    checkpointId,
    text: String(newest.text),
    written: new Set(own.map(({ channel }) => String(channel))),
    hasSends: own.length < writes.length,
  }
}

/** The values of a checkpoint, of all channels or of one. Values that are empty are left out. */
export async function blobRows(
  { query }: Connection,
  { thread_id, checkpoint_ns, checkpointId }: ThreadKey & { readonly checkpointId: string },
  place: string,
  channel: string | null = null,
): Promise<BlobRow[]> {
  const values = [thread_id, checkpoint_ns, checkpointId, channel]
  const [size] = await query(`select coalesce(sum(octet_length(b.blob)), 0) as bytes ${joined}`, values)
  if (Number(size?.bytes) > checkpointBytesMax) throw fileError(place, 'its checkpoint has more than 256 MB')
  const rows = await query(`select b.channel, b.version, b.type, encode(b.blob, 'base64') as blob ${joined}`, values)
  return rows.map(row => ({ ...row, blob: bytesOf(row.blob) }) as unknown as BlobRow)
}

/** Bytes that the server encoded in base64: in hexadecimal, 256 MB would be longer than a string can be. */
export const bytesOf = (text: string | null | undefined): Buffer => Buffer.from(String(text), 'base64')

/** The version of a channel in a checkpoint; undefined if it has none. */
export async function versionAt(
  { query }: Connection,
  { thread_id, checkpoint_ns, checkpointId }: ThreadKey & { readonly checkpointId: string },
  channel: string,
): Promise<string | undefined> {
  const [row] = await query(
    `select checkpoint -> 'channel_versions' ->> $4 as version from checkpoints
     where thread_id = $1 and checkpoint_ns = $2 and checkpoint_id = $3`,
    [thread_id, checkpoint_ns, checkpointId, channel],
  )
  return row?.version ?? undefined
}

const joined = `from checkpoints c cross join jsonb_each_text(c.checkpoint -> 'channel_versions') v
  join checkpoint_blobs b on b.thread_id = c.thread_id and b.checkpoint_ns = c.checkpoint_ns
    and b.channel = v.key and b.version = v.value
  where c.thread_id = $1 and c.checkpoint_ns = $2 and c.checkpoint_id = $3 and b.type <> 'empty'
    and b.blob is not null and ($4::text is null or b.channel = $4)`

/** Writes of the checkpoints before this one that may contain results, the newest first, read one at a time. */
export async function* earlierWrites(
  { query }: Connection,
  { thread_id, checkpoint_ns, checkpointId }: ThreadKey & { readonly checkpointId: string },
  channel: string,
): AsyncGenerator<{ readonly checkpointId: string; readonly value: Buffer }> {
  const found = await query(
    `with recursive line as (
       select checkpoint_id, parent_checkpoint_id from checkpoints
         where thread_id = $1 and checkpoint_ns = $2 and checkpoint_id = $3
       union
       select c.checkpoint_id, c.parent_checkpoint_id from line join checkpoints c
         on c.thread_id = $1 and c.checkpoint_ns = $2 and c.checkpoint_id = line.parent_checkpoint_id
     )
     select w.checkpoint_id, w.task_id, w.idx from line join checkpoint_writes w
       on w.thread_id = $1 and w.checkpoint_ns = $2 and w.checkpoint_id = line.checkpoint_id
     where w.checkpoint_id <> $3 and w.channel = $4 and w.type = 'msgpack'
       and octet_length(w.blob) <= ${checkpointBytesMax} and position('tool_call_id'::bytea in w.blob) > 0
     order by w.checkpoint_id desc, w.task_id, w.idx`,
    [thread_id, checkpoint_ns, checkpointId, channel],
  )
  for (const { checkpoint_id, task_id, idx } of found) {
    const [row] = await query(
      `select encode(blob, 'base64') as blob from checkpoint_writes
       where thread_id = $1 and checkpoint_ns = $2 and checkpoint_id = $3 and task_id = $4 and idx = $5`,
      [thread_id, checkpoint_ns, checkpoint_id, task_id, idx],
    )
    if (row) yield { checkpointId: String(checkpoint_id), value: bytesOf(row.blob) }
  }
}

/** Writes the messages of a version in place, inside a transaction: a new version would wake the nodes that read it. */
export async function writeBlob(
  { query }: Connection,
  { thread_id, checkpoint_ns }: ThreadKey,
  { channel, version }: Pick<BlobRow, 'channel' | 'version'>,
  bytes: Uint8Array,
): Promise<void> {
  await query(
    `update checkpoint_blobs set blob = $5
     where thread_id = $1 and checkpoint_ns = $2 and channel = $3 and version = $4`,
    [thread_id, checkpoint_ns, channel, version, Buffer.from(bytes)],
  )
}
