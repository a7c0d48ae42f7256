import { createHash } from 'node:crypto'

/**
 * Encodes any text for a column of type `text`, which rejects U+0000 and lone surrogates. Those are escaped, and so is the
 * backslash, so that the encoding is unambiguous.
 */
export const toColumn = (text: string): string =>
  text.replace(/[\\\0]|\p{Surrogate}/gu, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const fromColumn = (column: string): string =>
  column.replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

/** The same for an indexed column, which is limited to 2,700 bytes: a longer text is replaced by its hash. */
export function toKey(text: string): string {
  const column = toColumn(text)
  if (Buffer.byteLength(column) <= keyBytesMax) return column
  return `\\#${createHash('sha256').update(column).digest('hex')}`
}

/** A key that no text is encoded to. */
export const toInternalKey = (token: string): string => `\\!${token}`

const keyBytesMax = 1_000
