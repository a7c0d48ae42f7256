const marker = Symbol.for('antiphon.error')

export interface ErrorDetails {
  readonly hint?: string
  readonly cause?: unknown
  readonly [data: string]: unknown
}

/** The `code` of every `AntiphonError`. docs/errors.md says when each occurs and what to do. */
export type ErrorCode =
  | 'bad-count'
  | 'bad-limit'
  | 'bad-request'
  | 'branch-changed'
  | 'call-taken'
  | 'calls-running'
  | 'edited-arguments'
  | 'failure-unrecorded'
  | 'fenced'
  | 'foreign-edit'
  | 'interrupted'
  | 'invalid-action'
  | 'invalid-expiry'
  | 'invalid-input'
  | 'invalid-metadata'
  | 'invalid-name'
  | 'invalid-summary'
  | 'invalid-write'
  | 'journal-busy'
  | 'journal-closed'
  | 'journal-damaged'
  | 'journal-failed'
  | 'journal-full'
  | 'journal-not-durable'
  | 'journal-read-only'
  | 'journal-sealed'
  | 'journal-unreachable'
  | 'key-taken'
  | 'live-unsupported'
  | 'many-files'
  | 'missing-dialect'
  | 'missing-package'
  | 'missing-page'
  | 'missing-thread-id'
  | 'missing-tool'
  | 'newer-journal'
  | 'no-file'
  | 'no-journal'
  | 'no-port'
  | 'no-tape'
  | 'no-upstream'
  | 'not-a-conversation'
  | 'not-a-history'
  | 'not-a-response'
  | 'not-a-session'
  | 'not-an-export'
  | 'not-approved'
  | 'not-json'
  | 'nothing-waiting'
  | 'old-node'
  | 'older-journal'
  | 'open-calls'
  | 'overtaken'
  | 'own-upstream'
  | 'packed-request'
  | 'port-in-use'
  | 'refused-write'
  | 'remote-host'
  | 'repair-limit'
  | 'reserved-event'
  | 'signed-request'
  | 'stream-cut'
  | 'suffix-moved'
  | 'thread-busy'
  | 'thread-erased'
  | 'thread-moved'
  | 'turn-over'
  | 'unclear-answer'
  | 'unfit-pair'
  | 'unknown-branch'
  | 'unknown-call'
  | 'unknown-choice'
  | 'unknown-command'
  | 'unknown-dialect'
  | 'unknown-format'
  | 'unknown-input'
  | 'unknown-interrupt'
  | 'unknown-item'
  | 'unknown-mode'
  | 'unknown-port'
  | 'unknown-rejection'
  | 'unknown-request'
  | 'unknown-rule'
  | 'unknown-store'
  | 'unknown-thread'
  | 'unknown-upstream'
  | 'unreadable'
  | 'unsafe-cut'
  | 'wrong-number'
  | 'wrong-option'
  | 'wrong-shard'

/** An error of the caller or of the environment. `code` is for programs, `hint` says what to do next. */
export class AntiphonError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly data: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    const { hint, cause, ...data } = details
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'AntiphonError'
    this.code = code
    this.hint = hint
    this.data = data
    Object.defineProperty(this, marker, { value: true })
  }

  /** Recognises the error, also across two installed copies of the package. */
  static is(value: unknown): value is AntiphonError {
    return typeof value === 'object' && value !== null && marker in value
  }
}
