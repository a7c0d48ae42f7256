import { AntiphonError, type ErrorCode } from '../../../core/errors.ts'
import { resultCode, standardText } from './result-code.ts'

/** Whether another process had the lock, so that a retry may succeed. */
export const isBusy = (error: unknown): boolean => [5, 6].includes(primary(resultCode(error) ?? 0))

/** An SQLite error as an error with a hint. Other errors are returned unchanged. */
export function sqliteFailure(error: unknown): unknown {
  const code = resultCode(error)
  if (code === undefined) return error
  const [name, message, hint] = failures.get(code) ?? failures.get(primary(code)) ?? unknownFailure
  return new AntiphonError(name, `${message}${detailOf(error)}`, { hint, cause: error })
}

/** SQLite's own message in parentheses, if it says more than the standard text of its code. Deno omits that text from some errors. */
function detailOf(error: unknown): string {
  const { message, errstr } = error as { message: string; errstr?: string }
  const isStandard = message === errstr || standardText(resultCode(error)) === message
  return isStandard ? '' : ` (SQLite: ${message.split('\n', 1)[0]})`
}

/** SQLite's primary result code is the low byte of the extended one. */
const primary = (code: number): number => code & 0xff

type Failure = readonly [code: ErrorCode, message: string, hint: string]

const locked: Failure = [
  'journal-busy',
  'the journal is locked by another process',
  'look for a process with an open transaction on the file, or raise busyMs',
]
const damaged: Failure = [
  'journal-damaged',
  'the file is not a journal, or it is damaged',
  'check that it is the right file; if it is, restore it from a backup',
]
const unreachable: Failure = [
  'journal-unreachable',
  'the journal cannot be opened or written',
  'check its path, its permissions and those of its folder, and its disk',
]
const full: Failure = ['journal-full', 'the disk is full', 'nothing of the write was stored; free some space and retry']
const limited: Failure = [
  'journal-full',
  'the system does not let the journal grow',
  'nothing of the write was stored; free some space or raise the limit (a quota, ulimit -f) and retry; if there is space, check the disk',
]
const unknownFailure: Failure = ['journal-failed', 'the journal failed', 'nothing of the write was stored']

/**
 * By SQLite's result codes: PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB; and by two extended ones,
 * IOERR_WRITE and IOERR_SHMSIZE, since only a full disk is FULL to SQLite: a quota and a limit on the size of files are not.
 */
const failures = new Map<number, Failure>([
  [3, unreachable],
  [5, locked],
  [6, locked],
  [8, unreachable],
  [10, unreachable],
  [11, damaged],
  [13, full],
  [14, unreachable],
  [26, damaged],
  [778, limited],
  [4874, limited],
])
