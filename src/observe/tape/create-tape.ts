import { costsMore } from '../../core/json/parse-cost.ts'
import { plain } from '../../core/plain.ts'
import { cleanErrors } from './clean-errors.ts'
import { cleanUrl, cleanWords } from './clean-url.ts'
import { type Taped, type TapedCallEnd, type TapedReply, type TapedRule, type TapeHead, tapeVersion } from './entry.ts'
import { redactAnswer, redactBody, redactInput } from './redact-body.ts'
import { withoutKeys } from './redact-settings.ts'
import { redactRefusal, refusalWords } from './refusal-words.ts'

export interface TapeOptions {
  /** Takes one line, with its line break. What it throws goes to `warn`, once. */
  readonly write: (line: string) => void
  /** By default what was said is hidden; `false` keeps it. Headers and keys are never kept. */
  readonly redact?: boolean
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Tells this writer from others of the same file. */
  readonly from?: string
  /** Hears once that something could not be recorded. By default the process warns. */
  readonly warn?: (message: string) => void
  /** A longer body is left out. By default 16 MiB of characters. */
  readonly bodyMax?: number
}

export interface RequestFacts {
  readonly url?: string
  readonly wire?: string
  readonly dialect?: string
  /** JSON text, or the value that it is. */
  readonly body: unknown
  readonly thread?: string
}

export interface ResponseFacts {
  readonly status?: number
  /** JSON text, or the value that it is. */
  readonly body?: unknown
  /** What a stream came to. */
  readonly reply?: TapedReply
  /** By default it is read from the body. */
  readonly refusal?: string
  /** Why something that it said is missing. */
  readonly lost?: string
  readonly thread?: string
}

export interface CallFacts {
  /** The id that the wire has for the call; its name, if it has none. */
  readonly id: string
  readonly name?: string
  readonly thread?: string
}

/** Records what happens in a conversation, one line each. No method throws: a recorder must not harm what it records. */
export interface Tape {
  /** The request as the program made it. Its id is for what comes of it. */
  request(facts: RequestFacts): string
  /** What came of it. Whoever did not see the request leaves its id out. */
  response(request: string | undefined, facts: ResponseFacts): void
  callStart(call: CallFacts): void
  callEnd(call: CallFacts & { readonly status?: TapedCallEnd['status'] }): void
  input(facts?: { readonly content?: unknown; readonly thread?: string }): void
  interrupt(facts?: { readonly reason?: string; readonly thread?: string }): void
  /** What was healed in a request before it went out. */
  repair(facts: { readonly request?: string; readonly repairs: readonly TapedRule[]; readonly thread?: string }): void
}

/** A tape that writes through `write`, with its head at once. */
export function createTape(options: TapeOptions): Tape {
  const { write, redact = true, now = Date.now, from = randomName(), bodyMax = 16 * 1024 * 1024 } = options
  let order = 0
  let warn: ((message: string) => void) | undefined = options.warn ?? emitWarning

  const safely = (act: () => void): void => {
    try {
      act()
    } catch (error) {
      const tell = warn
      warn = undefined
      try {
        tell?.(`the tape lost something: ${error instanceof Error ? error.message : String(error)}`)
      } catch {
        // Whoever listens has failed, too, and the program goes on.
      }
    }
  }

  const put = (thread: string | undefined, entry: Taped): void =>
    safely(() => {
      order++
      write(`${JSON.stringify({ at: now(), order, from, ...(thread === undefined ? {} : { thread }), ...entry })}\n`)
    })

  /** A body that cannot be written costs its place in the entry, and never the entry. */
  const kept = (
    body: unknown,
    hide: (body: unknown) => unknown,
    tidy: (body: unknown) => unknown = body => body,
  ): { value?: unknown; lost?: string } => {
    if (body === undefined) return {}
    try {
      const value = withoutKeys(parsed(body, bodyMax))
      const shown = redact ? hide(value) : tidy(value)
      const length = JSON.stringify(shown)?.length ?? 0
      return length > bodyMax ? { lost: tooLong(length) } : { value: shown }
    } catch (error) {
      const isDeep = error instanceof RangeError && error.message.includes('call stack')
      return { lost: isDeep ? 'it is nested too deeply' : error instanceof Error ? error.message : String(error) }
    }
  }

  const words = (text: string): string => (redact ? redactRefusal(text) : cleanWords(text.slice(0, wordsMax)))

  safely(() => {
    const head: TapeHead = { kind: 'tape', version: tapeVersion, at: now(), from, redacted: redact }
    write(`${JSON.stringify(head)}\n`)
  })

  return {
    request({ url, wire, dialect, body, thread }) {
      const id = `${from}.${order + 1}`
      const { value, lost } = kept(body, redactBody)
      put(thread, {
        kind: 'request',
        id,
        ...(url === undefined ? {} : { url: cleanUrl(url) }),
        ...(wire === undefined ? {} : { wire }),
        ...(dialect === undefined ? {} : { dialect }),
        ...(value === undefined ? {} : { body: value }),
        ...(lost === undefined ? {} : { lost }),
      })
      return id
    },
    response(request, { status, body, reply, refusal, thread, lost: missing }) {
      const isFailure = status !== undefined && status >= 400
      const said = refusal ?? (isFailure ? wordsIn(body) : undefined)
      // A failure is kept in its words alone: what else stands in it can quote a key, or what was said.
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
        ...(said === undefined ? {} : { refusal: words(said) }),
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

/** The value of a body. Text that is no JSON stays text. */
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

/** How many bytes the objects and lists of a body may take. They are walked through several times without a pause. */
const structureMax = 16 * 1024 * 1024

/** Nobody refuses a request in more words than that. */
const wordsMax = 16 * 1024

const tooLong = (length: number): string => `it is too long: ${length} characters`

function wordsIn(body: unknown): string | undefined {
  try {
    return refusalWords(parsed(body, 1024 * 1024))
  } catch {
    return undefined
  }
}

const randomName = (): string => Math.random().toString(36).slice(2, 10)

/** Warns where there is a process to do it. */
function emitWarning(message: string): void {
  const host = (globalThis as { process?: Partial<NodeJS.Process> }).process
  host?.emitWarning?.(plain(message), { code: 'ANTIPHON_TAPE' })
}
