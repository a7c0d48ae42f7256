/**
 * The result code that an error of SQLite has, or undefined for an error of somebody else: the extended one, of which the low
 * byte is the primary one. Deno leaves it out of some errors, whose words are SQLite's own and always the same.
 */
export function resultCode(error: unknown): number | undefined {
  const { code, errcode, message } = Object(error) as { code?: unknown; errcode?: unknown; message?: unknown }
  if (typeof errcode === 'number') return errcode
  if (code !== 'ERR_SQLITE_ERROR') return undefined
  return [...words].find(([, text]) => String(message).startsWith(text))?.[0] ?? otherCode
}

const words = new Map<number, string>([
  [5, 'database is locked'],
  [6, 'database table is locked'],
  [8, 'attempt to write a readonly database'],
  [10, 'disk I/O error'],
  [11, 'database disk image is malformed'],
  [13, 'database or disk is full'],
  [14, 'unable to open database file'],
  [26, 'file is not a database'],
])

/** SQLite's ERROR: any mistake that has no code of its own. */
const otherCode = 1
