import { AntiphonError } from '../../core/errors.ts'
import { resultCode } from '../../journal/stores/sqlite/result-code.ts'

/** The error for a file, folder or database that cannot be read or written: its name, the reason, and what to do. */
export const fileError = (place: string, reason: string, hint?: string): AntiphonError =>
  new AntiphonError('unreadable', `${place}: ${reason}`, hint === undefined ? {} : { hint })

/**
 * Why reading or writing failed, in one line. The message of Node, SQLite or a parser is added in parentheses where its
 * code does not already say everything.
 */
export function failureReason(error: unknown): string {
  if (AntiphonError.is(error)) return error.message
  const { code, message, name } = Object(error) as { code?: unknown; message?: unknown; name?: unknown }
  const detail = oneLine(message ?? error)
  const sqliteCode = resultCode(error)
  if (sqliteCode !== undefined)
    return sqliteReasons[sqliteCode] ?? sqliteReasons[sqliteCode & 0xff] ?? `the database failed (SQLite: ${detail})`
  if (typeof code === 'string' && fileReasons[code] !== undefined) return fileReasons[code]
  if (error instanceof RangeError && /call stack/.test(detail)) return 'it is nested too deeply'
  if (error instanceof RangeError && /string length|allocation failed/i.test(detail)) return tooLargeReason
  if (code === 'ERR_INVALID_ARG_VALUE' && detail.includes('null bytes')) return 'the name contains U+0000'
  if (error instanceof SyntaxError) return `it cannot be parsed (${detail})`
  if (typeof code === 'string' && /^E[A-Z\d]+$/.test(code)) return `the operating system reports an error (${detail})`
  if (code === undefined && name === 'Error') return detail
  return `unexpected error (${name === undefined || name === 'Error' ? '' : `${name}: `}${detail})`
}

/** Why a file cannot be created: if its name is not found, its folder is missing. */
export const createFailureReason = (error: unknown): string =>
  (error as { code?: unknown } | undefined)?.code === 'ENOENT' ? 'its folder does not exist' : failureReason(error)

const oneLine = (text: unknown): string => (String(text).split('\n', 1)[0] ?? '').slice(0, 300)

export const tooLargeReason = 'it is too large: more than 512 MB'
const notFound = 'there is no such file'
const denied = 'permission denied'

const fileReasons: Record<string, string | undefined> = {
  EACCES: denied,
  EAGAIN: 'it is locked by another program',
  EBUSY: 'it is in use by another program',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something else has this name already',
  EFBIG: 'it would be larger than the system allows',
  EINVAL: 'the system does not support this here',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a directory',
  ELOOP: 'its symbolic links form a cycle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open',
  ENOENT: notFound,
  ENOMEM: 'there is not enough memory',
  ENOSPC: 'there is no space left',
  ENOTDIR: notFound,
  ENOTEMPTY: 'the folder is not empty',
  ENXIO: 'it is not a regular file',
  EPERM: denied,
  EROFS: 'the file system is read-only',
  ESTALE: 'the network file system has lost it',
  ETIMEDOUT: 'the file system does not answer',
  ETXTBSY: 'it is in use by another program',
  EXDEV: 'it is on another file system',
  ERR_BUFFER_TOO_LARGE: tooLargeReason,
  ERR_FS_FILE_TOO_LARGE: tooLargeReason,
  ERR_STRING_TOO_LONG: tooLargeReason,
}

/** By SQLite's result codes; 778 and 4874 are IOERR_WRITE and IOERR_SHMSIZE, which a quota and a limit on file sizes cause. */
const sqliteReasons: Record<number, string | undefined> = {
  3: denied,
  5: 'it is locked by another program',
  6: 'it is locked by another program',
  7: 'there is not enough memory',
  8: 'it cannot be written to',
  10: 'the disk reports an error',
  11: 'the database is damaged',
  13: 'there is no space left',
  14: 'it cannot be opened',
  18: 'a value in it is larger than SQLite allows',
  23: denied,
  26: 'it is not an SQLite database, or it is damaged',
  778: 'it cannot grow: no space, a quota, or a limit on file sizes',
  4874: 'it cannot grow: no space, a quota, or a limit on file sizes',
}
