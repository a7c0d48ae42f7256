import { AntiphonError } from '../../../core/errors.ts'
import { resultCode } from './result-code.ts'

/** Whether somebody else had the lock, so that trying again helps. */
export const isBusy = (error: unknown): boolean => [5, 6].includes(primary(resultCode(error) ?? 0))

/** What SQLite throws, as an error that says what to do. Errors of others come back as they are. */
export function sqliteFailure(error: unknown): unknown {
  const code = resultCode(error)
  if (code === undefined) return error
  const [name, message, hint] = failures.get(code) ?? failures.get(primary(code)) ?? unknownFailure
  return new AntiphonError(name, `${message}: ${(error as Error).message}`, { hint, cause: error })
}

/** SQLite's primary result code is the low byte of the extended one. */
const primary = (code: number): number => code & 0xff

type Failure = readonly [code: string, message: string, hint: string]

const locked: Failure = [
  'journal-busy',
  'Another process kept the journal locked',
  'Look for a process that keeps a transaction open on it, or wait longer (busyMs).',
]
const damaged: Failure = [
  'journal-damaged',
  'The file is no journal, or it is damaged',
  'Is it the right file? If so, restore it from a backup.',
]
const unreachable: Failure = [
  'journal-unreachable',
  'The journal cannot be opened or written',
  'Look at its path, its permissions (also of its folder) and its disk.',
]
const full: Failure = [
  'journal-full',
  'There is no room left for the journal',
  'Nothing of the write was stored. Make room, and write it again.',
]
const noMore: Failure = [
  'journal-full',
  'The system takes no more of the journal',
  'Nothing of the write was stored. Make room or raise the limit (a quota, ulimit -f), and write it again. If there is room, look at the disk.',
]
const unknownFailure: Failure = ['journal-failed', 'The journal failed', 'Nothing of the write was stored.']

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
  [778, noMore],
  [4874, noMore],
])
