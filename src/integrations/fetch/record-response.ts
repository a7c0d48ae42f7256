import type { CodecId } from '../../codecs/index.ts'
import { replies } from '../../codecs/shared/replies.ts'
import type { ReplyFold } from '../../codecs/shared/reply.ts'
import { isRecord } from '../../core/conversation.ts'
import { costsMore, parseCost } from '../../core/json/parse-cost.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import type { ResponseFacts, Tape } from '../../observe/tape/create-tape.ts'
import { rejectionText } from '../../observe/tape/rejection-text.ts'
import { HeldText } from './held-text.ts'
import { isJsonLines, JsonLines } from './json-lines.ts'
import { ServerEvents } from './server-events.ts'
import { type ResponseListener, tap } from './tap.ts'

/** Records a response on a tape once it was read, with its folded stream. Returns the response unchanged. */
export function recordResponse(tape: Tape, request: string, response: Response, format: CodecId): Response {
  const { status, headers } = response
  return tap(response, responseListener(tape, request, { status, type: headers.get('content-type') ?? '' }, format))
}

/** A listener that records a response on a tape when it has ended. */
export function responseListener(
  tape: Tape,
  request: string,
  { status, type }: { readonly status: number; readonly type: string },
  format: CodecId,
): ResponseListener {
  const isFine = status >= 200 && status < 300
  let parser = parserFor(isFine, type, format)
  const decoder = new TextDecoder()
  let isOver = false
  let length = 0
  let lost: string | undefined
  /** If a response cannot be parsed, only its content is missing from the tape. */
  const attempt = <T>(act: (parser: ResponseParser) => T): T | undefined => {
    try {
      return parser && act(parser)
    } catch (error) {
      if (error instanceof TooLong) lost = error.message
      parser = undefined
      return undefined
    }
  }
  const end: ResponseListener['end'] = how => {
    if (isOver) return
    isOver = true
    const facts = attempt(({ end }) => end(how))
    tape.response(request, { status, ...(lost === undefined ? {} : { lost }), ...facts })
  }
  return {
    chunk: piece => {
      const isLast = attempt(({ max, push }) => {
        const text = decoder.decode(piece as Uint8Array, { stream: true })
        length += text.length
        if (length > max) throw new TooLong(`it is too long: more than ${max} characters`)
        return push(text)
      })
      if (isLast) end('whole')
    },
    end,
  }
}

/** Records on a tape that there was no response. */
export function recordFailure(tape: Tape, request: string, error: unknown): void {
  const { message = String(error), cause } = (error ?? {}) as { message?: string; cause?: { message?: string } }
  const why = cause?.message ? `: ${cause.message}` : ''
  tape.response(request, { refusal: `${message}${why}` })
}

/** A response exceeds the limit for parsing. */
class TooLong extends Error {}

/** Parses the text of a response. */
interface ResponseParser {
  /** How many characters it accepts. */
  readonly max: number
  /** Returns whether nothing more comes: a program may stop reading there. */
  push(text: string): boolean
  end(how: 'whole' | 'cut'): Partial<ResponseFacts>
}

/** Undefined for binary responses. */
function parserFor(isFine: boolean, type: string, format: CodecId): ResponseParser | undefined {
  if (/vnd\.amazon\.eventstream/i.test(type)) return undefined
  if (!isFine) return wholeParser(format)
  if (isJsonLines(type)) return streamParser(format, new JsonLines(eventMax))
  return /event-stream/i.test(type) ? streamParser(format, new ServerEvents(eventMax)) : wholeParser(format)
}

/** A body that is one JSON value. */
function wholeParser(format: CodecId): ResponseParser {
  const held = new HeldText()
  return {
    max: wholeMax,
    push: piece => {
      held.push(piece)
      return false
    },
    end: how => {
      if (how === 'cut') return {}
      const text = held.take()
      // Gemini streams a list if the request does not ask for events.
      const isList = format === 'gemini' && text.trimStart().startsWith('[')
      if (isList && costsMore(text, eventCostMax)) throw new TooLong('it has too many values')
      const chunks: unknown = isList ? JSON.parse(text) : undefined
      if (!Array.isArray(chunks)) return { body: text }
      const fold = replies[format].fold()
      // A fold ignores values that are not chunks.
      for (const chunk of chunks) fold.push(chunk)
      return folded(fold)
    },
  }
}

/** A stream of events, or of lines. */
function streamParser(format: CodecId, events: ServerEvents | JsonLines): ResponseParser {
  const { fold: start, recognises } = replies[format]
  const fold = start()
  let isKnown = false
  let cost = 0
  let skipped = 0
  let isDone = false
  const push = (data: string | undefined): void => {
    const more = data === undefined ? Number.POSITIVE_INFINITY : parseCost(data, eventCostMax)
    if (data === undefined || more > eventCostMax) {
      skipped++
      return
    }
    cost += more
    if (cost > streamCostMax) throw new TooLong('it has too many values')
    const chunk = data === '[DONE]' ? data : tryParseJson(data)
    isKnown ||= recognises(chunk)
    isDone ||= events instanceof JsonLines && isRecord(chunk) && chunk.done === true
    fold.push(chunk)
  }
  return {
    max: streamMax,
    push: text => {
      events.push(text).forEach(push)
      return isDone
    },
    end: how => {
      if (how === 'whole') events.end().forEach(push)
      // If no event belongs to the format, the folded result would be empty, which is not what was sent.
      const answer = isKnown || fold.failure !== undefined ? folded(fold) : {}
      return skipped === 0 ? answer : { ...answer, lost: `${skipped} of its events are too long` }
    },
  }
}

function folded(fold: ReplyFold): Partial<ResponseFacts> {
  const { messages, finish } = fold.end()
  const refusal = fold.failure === undefined ? undefined : (rejectionText(fold.failure) ?? 'an error in the stream')
  return {
    ...(messages.length > 0 ? { reply: { messages, finish } } : {}),
    ...(refusal === undefined ? {} : { refusal }),
  }
}

const wholeMax = 4 * 1024 * 1024
/** A stream is folded as it arrives and takes far less memory than its text. */
const streamMax = 64 * 1024 * 1024
/** Parsing an event blocks other requests: how many characters it may have, and how many bytes its value may take. */
const [eventMax, eventCostMax] = [4 * 1024 * 1024, 16 * 1024 * 1024]
/** The same for all events of a stream. */
const streamCostMax = 128 * 1024 * 1024
