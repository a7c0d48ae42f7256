import { AntiphonError } from '../../../core/errors.ts'

/**
 * What a failed statement says about itself. `conflict`: it came to nothing because of another one, and may be run again.
 * `broken`: the connection broke, so that it may have been carried out. `final`: there is no use in trying again.
 */
export type PostgresFailureKind = 'conflict' | 'broken' | 'final'

export function postgresFailureKind(error: unknown): PostgresFailureKind {
  const { code, message, syscall } = partsOf(error)
  if (AntiphonError.is(error)) return error.code === overtaken ? 'conflict' : 'final'
  if (conflicts.has(code) || message === noneFree) return 'conflict'
  if (code.startsWith('08') || breaks.has(code) || syscall === 'connect') return 'broken'
  return !isState(code) && brokenWords.test(message) ? 'broken' : 'final'
}

/** Between a write and the question why it was refused, the reason went away. */
export const overtakenError = (): AntiphonError => new AntiphonError(overtaken, 'the thread changed in between')

/** Whether the connection broke so early that nothing was carried out. */
export function neverSent(error: unknown): boolean {
  const { code, message, syscall } = partsOf(error)
  return earlyBreaks.has(code) || syscall === 'connect' || earlyWords.test(message)
}

/** Whether the server has only refused a statement, so that the next one can go over the same connection. */
export const keepsConnection = (error: unknown): boolean =>
  isState(partsOf(error).code) && postgresFailureKind(error) !== 'broken'

/** The error that a caller sees. `place` names the server. Of a write in doubt none says that nothing was stored. */
export function postgresFailure(error: unknown, place: string, doubtful: boolean): unknown {
  const failure = knownFailure(error, place)
  if (!doubtful) return failure
  const { code, message, data } = AntiphonError.is(failure) ? failure : failedAs(error, place)
  const hint = 'What was written last may be there or not. Submit it again with the same key, and it is there once.'
  return new AntiphonError(code, message, { ...data, hint, doubtful, cause: error })
}

/** One of ours or of no known sort stays what it is. */
function knownFailure(error: unknown, place: string): unknown {
  const { code, message } = partsOf(error)
  if (AntiphonError.is(error) && error.code !== overtaken) return error
  const known = sorts.find(sort => sort.is.test(code || message))
  if (known) return new AntiphonError(known.error, `${place}: ${known.says}`, { hint: known.hint, cause: error })
  if (isState(code) && postgresFailureKind(error) === 'final') return failedAs(error, place)
  if (postgresFailureKind(error) === 'final' && !/\b(SSL|TLS|certificate)\b/i.test(message)) return error
  return new AntiphonError('journal-unreachable', `${place} cannot be reached: ${message || code}`, {
    hint: 'See that the server runs and lets this machine in.',
    doubtful: false,
    cause: error,
  })
}

const failedAs = (error: unknown, place: string): AntiphonError =>
  new AntiphonError('journal-failed', `${place}: ${partsOf(error).message}`, {
    hint: 'Nothing was stored.',
    cause: error,
  })

interface Sort {
  /** Its code, or what is said by who gives none. */
  readonly is: RegExp
  readonly error: string
  readonly says: string
  readonly hint: string
}

const overtaken = 'overtaken'

/** What the pool of `pg` says when all its connections are in use. */
const noneFree = 'timeout exceeded when trying to connect'

const sorts: readonly Sort[] = [
  {
    is: /^53100$/,
    error: 'journal-full',
    says: 'the disk of the server is full',
    hint: 'Make room on the server. Nothing of this write was stored, and what was stored before is there.',
  },
  {
    is: /^57014$/,
    error: 'journal-busy',
    says: 'the server ended a statement that took longer than it allows (statement_timeout), or was told to cancel it',
    hint: 'Raise statement_timeout for this role, or look for what slows the server down or holds the thread. Nothing of this write was stored.',
  },
  {
    is: /^(40001|40P01|55P03|overtaken)$/,
    error: 'journal-busy',
    says: 'others wrote to the same thread, or held it, for too long',
    hint: 'Try again. Nothing of this write was stored.',
  },
  {
    is: new RegExp(`^${noneFree}$`),
    error: 'journal-busy',
    says: 'no connection was free in time',
    hint: 'Allow more connections, or look for what holds them up. Nothing of this write was stored.',
  },
  {
    is: /^SASL/,
    error: 'journal-unreachable',
    says: 'the server asks for a password, and got none, or cannot agree on it',
    hint: 'Check the connection string.',
  },
  {
    is: /^(28...|3D000)$/,
    error: 'journal-unreachable',
    says: 'the server refuses this user, this password or this database',
    hint: 'Check the connection string.',
  },
  {
    is: /^25006$/,
    error: 'journal-unreachable',
    says: 'the server takes no writes, as a standby does',
    hint: 'Connect to the primary server.',
  },
  {
    is: /^(23505|XX001|XX002)$/,
    error: 'journal-damaged',
    says: 'what the journal has stored does not fit together',
    hint: 'Restore all its tables from one backup. Nothing of this write was stored.',
  },
]

const conflicts = new Set(['40001', '40P01', '23505'])

/**
 * Beside class 08: the server goes down or comes up, has no connection left, takes no writes, or does not know whether it
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

/** What `pg` and its pool say when a server that is asked for a connection does not answer. */
const earlyWords = /^(connection terminated due to connection timeout|timeout expired)$/i

/** What `pg` and its pool say, which give no code. */
const brokenWords = /connection terminated|timeout e|read timeout|not queryable|socket|connection ended/i

/** Five letters or digits, as in SQLSTATE. */
const isState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)

/** Where a name stands for several addresses and none can be reached, the errors of all are in `errors`. */
function partsOf(error: unknown): { code: string; message: string; syscall: string } {
  const { code, message, syscall, errors } = Object(error) as Record<string, unknown>
  const { syscall: first } = Object(Array.isArray(errors) ? errors[0] : undefined) as { syscall?: unknown }
  return { code: String(code ?? ''), message: String(message ?? error), syscall: String(syscall ?? first ?? '') }
}
