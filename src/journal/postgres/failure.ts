import { AntiphonError } from '../../errors.ts'

/**
 * What a failed statement says about itself. `conflict`: it came to nothing because of another one, and may be run again.
 * `broken`: the connection broke, so that it may have been carried out. `final`: there is no use in trying again.
 */
export type FailureKind = 'conflict' | 'broken' | 'final'

export function kindOf(error: unknown): FailureKind {
  const { code, message } = partsOf(error)
  if (AntiphonError.is(error)) return error.code === overtaken ? 'conflict' : 'final'
  if (conflicts.has(code)) return 'conflict'
  if (code.startsWith('08') || breaks.has(code)) return 'broken'
  return !isState(code) && brokenWords.test(message) ? 'broken' : 'final'
}

/** Between a write and the question why it was refused, the reason went away. */
export const newOvertaken = (): AntiphonError => new AntiphonError(overtaken, 'the thread changed in between')

/** Whether the connection broke so early that nothing was carried out. */
export const neverSent = (error: unknown): boolean => earlyBreaks.has(partsOf(error).code)

/** The error that a caller sees; one of ours or of no known sort stays what it is. `place` names the server. */
export function failureOf(error: unknown, place: string, doubtful: boolean): unknown {
  const { code, message } = partsOf(error)
  if (AntiphonError.is(error) && error.code !== overtaken) return error
  const known = sorts.find(sort => sort.codes.test(code))
  if (known) return new AntiphonError(known.error, `${place}: ${known.says}`, { hint: known.hint, cause: error })
  if (isState(code) && kindOf(error) === 'final')
    return new AntiphonError('journal-failed', `${place}: ${message}`, { hint: 'Nothing was stored.', cause: error })
  if (kindOf(error) === 'final' && !/\b(SSL|TLS|certificate)\b/i.test(message)) return error
  return new AntiphonError('journal-unreachable', `${place} cannot be reached: ${message || code}`, {
    hint: `See that the server runs and lets this machine in.${doubtful ? ' What was written last may be there or not.' : ''}`,
    doubtful,
    cause: error,
  })
}

interface Sort {
  readonly codes: RegExp
  readonly error: string
  readonly says: string
  readonly hint: string
}

const overtaken = 'overtaken'

const sorts: readonly Sort[] = [
  {
    codes: /^53100$/,
    error: 'journal-full',
    says: 'the disk of the server is full',
    hint: 'Make room on the server. Nothing of this write was stored, and what was stored before is there.',
  },
  {
    codes: /^(40001|40P01|55P03|57014|overtaken)$/,
    error: 'journal-busy',
    says: 'others wrote to the same thread, or held it, for too long',
    hint: 'Try again. Nothing of this write was stored.',
  },
  {
    codes: /^(28...|3D000)$/,
    error: 'journal-unreachable',
    says: 'the server refuses this user, this password or this database',
    hint: 'Check the connection string.',
  },
  {
    codes: /^25006$/,
    error: 'journal-unreachable',
    says: 'the server takes no writes, as a standby does',
    hint: 'Connect to the primary server.',
  },
  {
    codes: /^(23505|XX001|XX002)$/,
    error: 'journal-damaged',
    says: 'what the journal has stored does not fit together',
    hint: 'Restore all its tables from one backup. Nothing of this write was stored.',
  },
]

const conflicts = new Set(['40001', '40P01', '23505'])

/** Beside class 08: the server goes down or comes up, has no connection left, or does not know whether it has committed. */
const breaks = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '53300', '40003'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN'],
])

const earlyBreaks = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', '57P03', '53300'])

/** What `pg` and its pool say, which give no code. */
const brokenWords = /connection terminated|timeout e|read timeout|not queryable|socket|connection ended/i

/** Five letters or digits, as in SQLSTATE. */
const isState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)

function partsOf(error: unknown): { code: string; message: string } {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  return { code: String(code ?? ''), message: String(message ?? error) }
}
