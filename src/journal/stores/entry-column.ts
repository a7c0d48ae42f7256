import type { EntryData } from '../entry.ts'

/** An entry whose ciphertext is in bytes, as it was sealed. */
type SealedBytes = { readonly sealed: Uint8Array }

/** A ciphertext in bytes that is base64 in JSON, for example in an export. */
const ciphertextOf = (bytes: Buffer): Buffer => Object.assign(bytes, { toJSON: asBase64 }) as unknown as Buffer

function asBase64(this: Buffer): string {
  return this.toString('base64')
}

/**
 * The fields of an entry as SQLite stores them: JSON; or, if it is sealed, bytes: its readable fields as JSON, a zero byte, and the ciphertext.
 * In base64 the row would be a third longer, and a turn slower by as much as the encryption takes.
 */
export function entryColumn(fields: object): string | Buffer {
  if (!hasBytes(fields)) return JSON.stringify(fields)
  const { sealed, ...readable } = fields
  return Buffer.concat([Buffer.from(`${JSON.stringify(readable)}\0`), sealed])
}

/** The JSON in a column, and the ciphertext after it. JSON has no zero byte. */
export function columnParts(column: unknown): { json: string; sealed?: Buffer } {
  if (!(column instanceof Uint8Array)) return { json: String(column) }
  const bytes = Buffer.from(column.buffer, column.byteOffset, column.byteLength)
  const end = bytes.indexOf(0)
  return end < 0
    ? { json: bytes.toString() }
    : { json: bytes.toString('utf8', 0, end), sealed: ciphertextOf(bytes.subarray(end + 1)) }
}

export const hasBytes = (fields: object | EntryData): fields is SealedBytes =>
  'sealed' in fields && fields.sealed instanceof Uint8Array
