import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { parseVerbatim } from '../../../core/json/exact-json.ts'
import { zstd } from '../../../journal/stores/node-modules.ts'
import { failureReason, fileError } from '../../files/file-error.ts'
import type { RecordFields } from '../../record-format.ts'

/** A thread as it is stored: one JSON text, compressed or not. */
export interface ThreadData {
  readonly text: string
  readonly value: RecordFields
  /** `json` or `zstd`. */
  readonly type: string
  /** The hash of what is stored, to notice changes. */
  readonly hash: string
}

/** Throws a one-line error if the thread cannot be read. */
export function readThread(database: DatabaseSync, id: string, place: string): ThreadData {
  const row = database.prepare('select data_type, cast(data as blob) as data from threads where id = ?').get(id)
  const stored = row?.data instanceof Uint8Array ? row.data : new Uint8Array()
  const type = String(row?.data_type)
  try {
    const bytes = unpacked(stored, type)
    if (!isUtf8(bytes)) throw new Error('it is not UTF-8')
    const text = bytes.toString()
    const value = parseVerbatim(text)
    if (!isRecord(value)) throw new Error('it is not a JSON object')
    return { text, value, type, hash: createHash('sha256').update(stored).digest('hex') }
  } catch (error) {
    throw fileError(place, `it cannot be read, and Zed does not open it either (${failureReason(error)})`)
  }
}

function unpacked(stored: Uint8Array, type: string): Buffer {
  if (type === 'json') return Buffer.from(stored)
  if (type === 'zstd') return zstd.zstdDecompressSync(stored, { maxOutputLength: bytesMax })
  throw new Error(`its data type is ${JSON.stringify(type)}`)
}

/** Stores another text in the form of the old one. The times stay as they are. */
export function writeThread(database: DatabaseSync, id: string, { type }: ThreadData, text: string): void {
  const data = type === 'zstd' ? zstd.zstdCompressSync(Buffer.from(text)) : Buffer.from(text)
  database.prepare('update threads set data = ? where id = ?').run(data, id)
}

/** A thread is held as a whole. */
const bytesMax = 256 * 1024 * 1024
