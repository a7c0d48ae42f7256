import { AntiphonError, type ErrorCode } from '../../../core/errors.ts'

/**
 * The kind of a failed statement. `conflict`: another statement got in its way, and a retry may succeed. `broken`: the
 * connection broke, so that the statement may have run. `final`: a retry does not help.
 */
export type PostgresFailureKind = 'conflict' | 'broken' | 'final'

export function postgresFailureKind(error: unknown): PostgresFailureKind {
  const { code, message, syscall } = partsOf(error)
  if (AntiphonError.is(error)) return error.code === overtaken ? 'conflict' : 'final'
  if (conflicts.has(code) || message === noneFree) return 'conflict'
  if (code.startsWith('08') || breaks.has(code) || syscall === 'connect') return 'broken'
  return !isFromServer(error) && brokenMessages.test(message) ? 'broken' : 'final'
}

/** Another process changed the thread between two statements of one operation, which is retried. */
export const overtakenError = (): AntiphonError =>
  new AntiphonError(overtaken, 'the thread changed in the meantime', { hint: 'read the thread again and retry' })

/** Whether the connection broke before the statement was sent. */
export function neverSent(error: unknown): boolean {
  const { code, message, syscall } = partsOf(error)
  return earlyBreaks.has(code) || syscall === 'connect' || earlyMessages.test(message)
}

/** Whether the server only refused the statement, so that the connection can be used again. */
export const keepsConnection = (error: unknown): boolean =>
  isFromServer(error) && postgresFailureKind(error) !== 'broken'

/** The error for the caller. `place` names the server. `doubtful`: it is unknown whether the write was stored. */
export function postgresFailure(error: unknown, place: string, doubtful: boolean): unknown {
  const failure = knownFailure(error, place)
  if (!doubtful) return failure
  const { code, message, data } = AntiphonError.is(failure) ? failure : failedAs(error, place)
  const hint = 'the last write may or may not be stored; submit it again with the same key, and it is stored once'
  return new AntiphonError(code, message, { ...data, hint, doubtful, cause: error })
}

/** Our own errors, and errors of an unknown kind, are returned unchanged. */
function knownFailure(error: unknown, place: string): unknown {
  const { code, message } = partsOf(error)
  if (AntiphonError.is(error) && error.code !== overtaken) return error
  const known = knownFailures.find(({ is }) => is.test(code || message))
  if (known) return new AntiphonError(known.error, `${place}: ${known.says}`, { hint: known.hint, cause: error })
  if (isFromServer(error) && postgresFailureKind(error) === 'final') return failedAs(error, place)
  if (postgresFailureKind(error) === 'final' && !/\b(SSL|TLS|certificate)\b/i.test(message)) return error
  return new AntiphonError('journal-unreachable', `${place} cannot be reached: ${reasonOf(error)}`, {
    hint: 'check that the server runs and accepts connections from this machine',
    doubtful: false,
    cause: error,
  })
}

const failedAs = (error: unknown, place: string): AntiphonError =>
  new AntiphonError('journal-failed', `${place}: ${reasonOf(error)}`, {
    hint: 'nothing was stored; the message of the server is in `cause`',
    cause: error,
  })

/** A server quotes parameters and rows in its messages. They stay in `cause`; the message for a user has only the SQLSTATE. */
function reasonOf(error: unknown): string {
  const { code, message } = partsOf(error)
  return isFromServer(error) ? `the server reports an error (SQLSTATE ${code || 'unknown'})` : message || code
}

interface KnownFailure {
  /** Matches the code, or the message if there is no code. */
  readonly is: RegExp
  readonly error: ErrorCode
  readonly says: string
  readonly hint: string
}

const overtaken = 'overtaken' satisfies ErrorCode

/** The message of the pool of `pg` when all its connections are in use. */
const noneFree = 'timeout exceeded when trying to connect'

const knownFailures: readonly KnownFailure[] = [
  {
    is: /^53100$/,
    error: 'journal-full',
    says: 'the disk of the server is full',
    hint: 'free some space on the server; nothing of this write was stored, earlier writes are safe',
  },
  {
    is: /^57014$/,
    error: 'journal-busy',
    says: 'the server cancelled a statement, because of its statement_timeout or on request',
    hint: 'raise statement_timeout for this role, or look for what slows the server down or locks the thread; nothing of this write was stored',
  },
  {
    is: /^(40001|40P01|55P03|overtaken)$/,
    error: 'journal-busy',
    says: 'other statements wrote to the same thread, or locked it, for too long',
    hint: 'retry; nothing of this write was stored',
  },
  {
    is: new RegExp(`^${noneFree}$`),
    error: 'journal-busy',
    says: 'no connection was free in time',
    hint: 'allow more connections, or look for what holds them; nothing of this write was stored',
  },
  {
    is: /^SASL/,
    error: 'journal-unreachable',
    says: 'password authentication failed: the password is missing, or the method is not supported',
    hint: 'check the connection string',
  },
  {
    is: /^(28...|3D000)$/,
    error: 'journal-unreachable',
    says: 'the server rejects this user, password or database',
    hint: 'check the connection string',
  },
  {
    is: /^25006$/,
    error: 'journal-unreachable',
    says: 'the server is read-only, such as a standby',
    hint: 'connect to the primary server',
  },
  {
    is: /^42P01$/,
    error: 'journal-failed',
    says: 'a table of the journal is missing (SQLSTATE 42P01)',
    hint: 'restore all its tables from one backup; nothing was stored',
  },
  {
    is: /^42501$/,
    error: 'journal-failed',
    says: 'this role lacks a permission (SQLSTATE 42501)',
    hint: 'grant it the rights on the schema and the tables of the journal; nothing was stored',
  },
  {
    is: /^(23505|XX001|XX002)$/,
    error: 'journal-damaged',
    says: 'the tables of the journal are inconsistent',
    hint: 'restore all its tables from one backup; nothing of this write was stored',
  },
]

const conflicts = new Set(['40001', '40P01', '23505'])

/**
 * In addition to class 08: the server shuts down or starts, has no connection left, is read-only, or does not know whether it
 * has committed.
 */
const breaks = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '53300', '25006', '40003'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'EMFILE', 'ENFILE', 'EADDRNOTAVAIL'],
])

const earlyBreaks = new Set([
  ...['57P03', '53300', '25006'],
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EMFILE', 'ENFILE', 'EADDRNOTAVAIL'],
])

/** Messages of `pg` and its pool when a server does not answer a connection attempt. */
const earlyMessages = /^(connection terminated due to connection timeout|timeout expired)$/i

/** Messages of `pg` and its pool for broken connections; they have no code. */
const brokenMessages = /connection terminated|timeout e|read timeout|not queryable|socket|connection ended/i

/** Whether the code is an SQLSTATE: five letters or digits. */
const isState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)

/** Errors of the server have a severity; a custom SQLSTATE may consist of letters only, as `EPIPE` does. */
const isFromServer = (error: unknown): boolean => {
  const { code, severity } = partsOf(error)
  return isState(code) || severity !== ''
}

/** If a host name has several addresses and none can be reached, `errors` has the error of each. */
function partsOf(error: unknown): { code: string; message: string; syscall: string; severity: string } {
  const { code, message, syscall, severity, errors } = Object(error) as Record<string, unknown>
  const { syscall: first } = Object(Array.isArray(errors) ? errors[0] : undefined) as { syscall?: unknown }
  return {
    ...{ code: String(code ?? ''), message: String(message ?? error) },
    ...{ syscall: String(syscall ?? first ?? ''), severity: String(severity ?? '') },
  }
}
