import { createHash } from 'node:crypto'

/**
 * Any text in a column of type `text`, which takes neither U+0000 nor half of a surrogate pair. Those are written as
 * escapes, and so is the backslash: no two texts become one, and a column has a backslash only where an escape begins.
 */
export const toColumn = (text: string): string =>
  text.replace(/[\\\0]|\p{Surrogate}/gu, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const fromColumn = (column: string): string =>
  column.replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

/** The same for a column with an index, which has room for 2,700 bytes: of a longer text there is only its hash. */
export function toKey(text: string): string {
  const column = toColumn(text)
  if (Buffer.byteLength(column) <= keyBytesMax) return column
  return `\\#${createHash('sha256').update(column).digest('hex')}`
}

/** A key that no text has. */
export const toInternalKey = (token: string): string => `\\!${token}`

const keyBytesMax = 1_000
