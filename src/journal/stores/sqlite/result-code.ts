/**
 * The extended result code of an SQLite error, whose low byte is the primary code; undefined for other errors. Deno omits the
 * code from some errors. Those are recognised by SQLite's own messages, which do not change.
 */
export function resultCode(error: unknown): number | undefined {
  const { code, errcode, message } = Object(error) as { code?: unknown; errcode?: unknown; message?: unknown }
  if (typeof errcode === 'number') return errcode
  if (code !== 'ERR_SQLITE_ERROR') return undefined
  return [...messages].find(([, text]) => String(message).startsWith(text))?.[0] ?? otherCode
}

/** SQLite's text for a result code, where an error without a code is recognised by it. */
export const standardText = (code: number | undefined): string | undefined =>
  code === undefined ? undefined : messages.get(code & 0xff)

const messages = new Map<number, string>([
  [5, 'database is locked'],
  [6, 'database table is locked'],
  [8, 'attempt to write a readonly database'],
  [10, 'disk I/O error'],
  [11, 'database disk image is malformed'],
  [13, 'database or disk is full'],
  [14, 'unable to open database file'],
  [26, 'file is not a database'],
])

/** SQLite's ERROR: any error without a code of its own. */
const otherCode = 1
