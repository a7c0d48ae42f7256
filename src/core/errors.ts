const marker = Symbol.for('antiphon.error')

export interface ErrorDetails {
  readonly hint?: string
  readonly cause?: unknown
  readonly [data: string]: unknown
}

/** A caller's own mistake or a broken outside world. `code` is for programs, `hint` says what to do next. */
export class AntiphonError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly data: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    const { hint, cause, ...data } = details
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'AntiphonError'
    this.code = code
    this.hint = hint
    this.data = data
    Object.defineProperty(this, marker, { value: true })
  }

  /** Recognises the error also when two copies of the package are installed. */
  static is(value: unknown): value is AntiphonError {
    return typeof value === 'object' && value !== null && marker in value
  }
}
