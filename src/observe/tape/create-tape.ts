import { describeError } from '../../core/describe-error.ts'
import { costsMore } from '../../core/json/parse-cost.ts'
import { printable } from '../../core/printable.ts'
import { cleanErrors } from './clean-errors.ts'
import { cleanText, cleanUrl } from './clean-url.ts'
import {
  type TapedCallEnd,
  type TapedEvent,
  type TapedReply,
  type TapedRule,
  type TapeHead,
  tapeVersion,
} from './entry.ts'
import { redactAnswer, redactBody, redactInput } from './redact-body.ts'
import { withoutCredentials } from './redact-settings.ts'
import { redactRejection, rejectionText } from './rejection-text.ts'

export interface TapeOptions {
  /** Writes one line, which includes its line break. The first error that it throws goes to `warn`. */
  readonly write: (line: string) => void
  /** True by default: message content is replaced with filler. `false` keeps it. Headers and keys are never kept. */
  readonly redact?: boolean
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Identifies this writer among others of the same file. */
  readonly from?: string
  /** Called once when something could not be recorded. By default a process warning is emitted. */
  readonly warn?: (message: string) => void
  /** Bodies with more characters are left out. 16 Mi by default. */
  readonly bodyMax?: number
}

export interface RequestFacts {
  readonly url?: string
  readonly format?: string
  readonly dialect?: string
  /** JSON text, or the parsed value. */
  readonly body: unknown
  readonly thread?: string
}

export interface ResponseFacts {
  readonly status?: number
  /** JSON text, or the parsed value. */
  readonly body?: unknown
  /** The complete reply of a stream. */
  readonly reply?: TapedReply
  /** The provider's error message. By default it is read from the body. */
  readonly refusal?: string
  /** Why a part of the response is missing. */
  readonly lost?: string
  readonly thread?: string
}

export interface CallFacts {
  /** The id of the call in the history; its name, in formats without ids. */
  readonly id: string
  readonly name?: string
  readonly thread?: string
}

/** Records the events of a conversation, one line each. No method throws: a recorder must not disturb what it records. */
export interface Tape {
  /** The request as the program made it. Returns an id for `response` and `repair`. */
  request(facts: RequestFacts): string
  /** The response to a request, or without an id if the request was not recorded. */
  response(request: string | undefined, facts: ResponseFacts): void
  callStart(call: CallFacts): void
  callEnd(call: CallFacts & { readonly status?: TapedCallEnd['status'] }): void
  input(facts?: { readonly content?: unknown; readonly thread?: string }): void
  interrupt(facts?: { readonly reason?: string; readonly thread?: string }): void
  /** What was repaired in a request before it was sent. */
  repair(facts: { readonly request?: string; readonly repairs: readonly TapedRule[]; readonly thread?: string }): void
}

/** Creates a tape that writes through `write`. The head line is written at once. */
export function createTape(options: TapeOptions): Tape {
  const { write, redact = true, now = Date.now, from = randomName(), bodyMax = 16 * 1024 * 1024 } = options
  let order = 0
  let warn: ((message: string) => void) | undefined = options.warn ?? emitWarning

  const safely = (act: () => void): void => {
    try {
      act()
    } catch (error) {
      const warnOnce = warn
      warn = undefined
      try {
        warnOnce?.(`the tape could not record an event: ${describeError(error)}`)
      } catch {
        // An error of `warn` must not reach the program.
      }
    }
  }

  let hasHead = false
  /** Nothing can read a tape without its head, so it is written before the next entry if that failed, as on a full disk. */
  const writeHead = (): void => {
    if (hasHead) return
    const head: TapeHead = { kind: 'tape', version: tapeVersion, at: now(), from, redacted: redact }
    write(`${JSON.stringify(head)}\n`)
    hasHead = true
  }

  const put = (thread: string | undefined, entry: TapedEvent): void =>
    safely(() => {
      order++
      writeHead()
      write(`${JSON.stringify({ at: now(), order, from, ...(thread === undefined ? {} : { thread }), ...entry })}\n`)
    })

  /** The body as it is recorded, or why it is left out. If a body cannot be recorded, its entry is written without it. */
  const kept = (
    body: unknown,
    hide: (body: unknown) => unknown,
    clean: (body: unknown) => unknown = body => body,
  ): { value?: unknown; lost?: string } => {
    if (body === undefined) return {}
    try {
      const value = withoutCredentials(parsed(body, bodyMax))
      const shown = redact ? hide(value) : clean(value)
      const length = JSON.stringify(shown)?.length ?? 0
      return length > bodyMax ? { lost: tooLong(length) } : { value: shown }
    } catch (error) {
      const isDeep = error instanceof RangeError && error.message.includes('call stack')
      return { lost: isDeep ? 'it is nested too deeply' : describeError(error) }
    }
  }

  const recordedRejection = (text: string): string =>
    redact ? redactRejection(text) : cleanText(text.slice(0, rejectionMax))

  safely(writeHead)

  return {
    request({ url, format, dialect, body, thread }) {
      const id = `${from}.${order + 1}`
      const { value, lost } = kept(body, redactBody)
      put(thread, {
        kind: 'request',
        id,
        ...(url === undefined ? {} : { url: cleanUrl(url) }),
        ...(format === undefined ? {} : { wire: format }),
        ...(dialect === undefined ? {} : { dialect }),
        ...(value === undefined ? {} : { body: value }),
        ...(lost === undefined ? {} : { lost }),
      })
      return id
    },
    response(request, { status, body, reply, refusal, thread, lost: missing }) {
      const isFailure = status !== undefined && status >= 400
      const rejection = refusal ?? (isFailure ? rejectionIn(body) : undefined)
      // Of a failure only the error message is kept: other fields can quote keys or message content.
      const { value, lost } = isFailure ? {} : kept(body, redactAnswer, cleanErrors)
      const folded = kept(reply && { messages: reply.messages }, redactBody)
      const gone = lost ?? folded.lost ?? missing
      put(thread, {
        kind: 'response',
        ...(request === undefined ? {} : { request }),
        ...(status === undefined ? {} : { status }),
        ...(value === undefined ? {} : { body: value }),
        ...(reply && folded.value !== undefined
          ? { reply: { ...(folded.value as Pick<TapedReply, 'messages'>), finish: reply.finish } }
          : {}),
        ...(rejection === undefined ? {} : { refusal: recordedRejection(rejection) }),
        ...(gone === undefined ? {} : { lost: gone }),
      })
    },
    callStart({ id, name, thread }) {
      put(thread, { kind: 'call-start', call: id || (name ?? ''), ...(name === undefined ? {} : { name }) })
    },
    callEnd({ id, name, status = 'done', thread }) {
      put(thread, { kind: 'call-end', call: id || (name ?? ''), ...(name === undefined ? {} : { name }), status })
    },
    input({ content, thread } = {}) {
      const { value, lost } = kept(content, redactInput)
      put(thread, {
        kind: 'input',
        ...(value === undefined ? {} : { content: value }),
        ...(lost === undefined ? {} : { lost }),
      })
    },
    interrupt({ reason, thread } = {}) {
      const { value } = kept(reason, redactInput)
      put(thread, { kind: 'interrupt', ...(typeof value === 'string' ? { reason: value } : {}) })
    },
    repair({ request, repairs, thread }) {
      put(thread, {
        kind: 'repair',
        ...(request === undefined ? {} : { request }),
        repairs: repairs.map(({ rule, at, callId }) => ({ rule, at, ...(callId === undefined ? {} : { callId }) })),
      })
    },
  }
}

/** The value of a body. Text that is not JSON stays text. */
function parsed(body: unknown, bodyMax: number): unknown {
  if (typeof body !== 'string') return body
  if (body.length > bodyMax) throw new Error(tooLong(body.length))
  if (costsMore(body, bodyMax + structureMax)) throw new Error('it has too many values')
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** How many bytes the objects and lists of a body may take: they are traversed several times synchronously. */
const structureMax = 16 * 1024 * 1024

/** Longer error messages are cut. */
const rejectionMax = 16 * 1024

const tooLong = (length: number): string => `it is too long: ${length} characters`

function rejectionIn(body: unknown): string | undefined {
  try {
    return rejectionText(parsed(body, 1024 * 1024))
  } catch {
    return undefined
  }
}

const randomName = (): string => Math.random().toString(36).slice(2, 10)

/** Emits a process warning, in runtimes that have a process. */
function emitWarning(message: string): void {
  const host = (globalThis as { process?: Partial<NodeJS.Process> }).process
  host?.emitWarning?.(printable(message), { code: 'ANTIPHON_TAPE' })
}
