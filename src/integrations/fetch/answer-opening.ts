import { isRecord } from '../../core/conversation.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import { isJsonLines } from './json-lines.ts'

/** What an answer begins with: content, an error, or too little to decide. */
export type Opening = 'undecided' | 'answer' | 'error'

/**
 * Reads the beginning of an answer with a 2xx status: providers reject some requests only after status 200, in the first
 * event of a stream. It reads the first event and what arrived together with it, never more.
 */
export class AnswerOpening {
  /** The text of the error, if the answer begins with one. */
  error = ''
  readonly #read: OpeningReader
  #bytes = 0
  #pieces = 0

  constructor(read: OpeningReader) {
    this.#read = read
  }

  push(chunk: unknown): Opening {
    if (!(chunk instanceof Uint8Array)) return 'answer'
    this.#bytes += chunk.byteLength
    // With each chunk all chunks before it are read again, so their number is limited.
    if (this.#bytes > bytesMax || ++this.#pieces > piecesMax) return 'answer'
    return this.#settle(this.#read(chunk, false))
  }

  /** The answer has ended. */
  end(): Opening {
    const opening = this.#settle(this.#read(empty, true))
    return opening === 'undecided' ? 'answer' : opening
  }

  #settle(read: Opening | { readonly error: string }): Opening {
    if (typeof read === 'string') return read
    this.error = read.error
    return 'error'
  }
}

/**
 * How long an answer is held back at most until its beginning is decided. Clients and load balancers give up on an answer
 * that sends nothing, and a model may think for minutes before its first event.
 */
export const openingMs = 5_000

type OpeningReader = (chunk: Uint8Array, isEnd: boolean) => Exclude<Opening, 'error'> | { readonly error: string }

const [bytesMax, piecesMax] = [256 * 1024, 1000]
const empty = new Uint8Array()

/** The opening of an answer with this content type; undefined for an answer that is passed on without being read. */
export function openingFor(type: string | null | undefined): AnswerOpening | undefined {
  if (!type) return undefined
  if (/vnd\.amazon\.eventstream/i.test(type)) return new AnswerOpening(frames())
  if (/event-stream/i.test(type)) return new AnswerOpening(events())
  if (isJsonLines(type)) return new AnswerOpening(lines())
  return /[/+]json\b/i.test(type) ? new AnswerOpening(list()) : undefined
}

function events(): OpeningReader {
  const decoder = new TextDecoder()
  let text = ''
  return (chunk, isEnd) => {
    text += decoder.decode(chunk, { stream: !isEnd }) + (isEnd ? '\n\n' : '')
    return readEvents(text)
  }
}

/** Values in lines of their own: the first one shows whether it is an error. */
function lines(): OpeningReader {
  const decoder = new TextDecoder()
  let text = ''
  return (chunk, isEnd) => {
    text += decoder.decode(chunk, { stream: !isEnd }) + (isEnd ? '\n' : '')
    const [line = ''] = text.trimStart().split('\n', 1)
    if (line === '' || !text.trimStart().includes('\n')) return 'undecided'
    const error = errorOf('', line)
    return error === undefined ? 'answer' : { error }
  }
}

function readEvents(text: string): ReturnType<OpeningReader> {
  let [name, data, isBegun, comments] = ['', '', false, 0]
  for (const line of text.split(/\r\n|\n|\r/).slice(0, -1)) {
    if (line.startsWith('event:')) name = line.slice(6).trim()
    else if (line.startsWith('data:')) data += `${data && '\n'}${line.slice(5).trim()}`
    // Comments keep the connection alive while the model works: the client needs them as well.
    else if (line.startsWith(':') && ++comments > 1) isBegun = true
    if (line !== '') continue
    if (data !== '') {
      const error = errorOf(name, data)
      if (error !== undefined) return { error }
      // Events that only announce an answer have no content yet, and an error may have arrived with them.
      if (!/"type":\s?"response\.(created|queued|in_progress)"/.test(data)) return 'answer'
      isBegun = true
    }
    name = data = ''
  }
  return isBegun ? 'answer' : 'undecided'
}

/** The text of an event that is an error. */
function errorOf(name: string, data: string): string | undefined {
  const value = tryParseJson(data)
  if (isRecord(value) && value.type === 'response.failed' && isRecord(value.response))
    return JSON.stringify(value.response.error ?? '')
  const isError = name === 'error' || (isRecord(value) && (value.type === 'error' || isFilledError(value.error)))
  return isError ? data : undefined
}

const isFilledError = (error: unknown): boolean => isRecord(error) || (typeof error === 'string' && error !== '')

/**
 * A JSON list, as Gemini streams it. An answer that does not begin as a list with an error is passed on at once: a single
 * value is content.
 */
function list(): OpeningReader {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let text = ''
  return (chunk, isEnd) => {
    // Most answers are a single object.
    if (decoder === undefined && chunk[0] === openBrace) return 'answer'
    decoder ??= new TextDecoder()
    text += decoder.decode(chunk, { stream: !isEnd })
    const isBegun = /^\s*\[\s*\{\s*"error"\s*:\s*[{"]/.test(text)
    if (isBegun) return isEnd ? { error: text } : 'undecided'
    return isEnd || !/^\s*(\[\s*(\{\s*("[eror]{0,5}"?\s*:?\s*)?)?)?$/.test(text) ? 'answer' : 'undecided'
  }
}

const openBrace = 0x7b

/** Frames of an AWS event stream: lengths, headers and payload. */
function frames(): OpeningReader {
  let bytes = new Uint8Array()
  return chunk => {
    const joined = new Uint8Array(bytes.length + chunk.length)
    joined.set(bytes)
    joined.set(chunk, bytes.length)
    bytes = joined
    if (bytes.length < 12) return 'undecided'
    const view = new DataView(bytes.buffer)
    const [length, headersLength] = [view.getUint32(0), view.getUint32(4)]
    if (headersLength > length - 16 || length > bytesMax) return 'answer'
    if (bytes.length < length) return 'undecided'
    const decoder = new TextDecoder()
    const head = decoder.decode(bytes.subarray(12, 12 + headersLength))
    // A header consists of its name, one byte for its type, two for the length of its value, and the value.
    const kind = head.slice(head.indexOf(kindHeader) + kindHeader.length + 3)
    if (!head.includes(kindHeader) || !/^(exception|error)/.test(kind)) return 'answer'
    return { error: decoder.decode(bytes.subarray(12 + headersLength, length - 4)) || head }
  }
}

const kindHeader = ':message-type'
