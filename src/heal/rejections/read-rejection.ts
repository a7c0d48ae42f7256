import type { DialectId } from '../../core/dialects/index.ts'
import { pathsIn } from './paths.ts'
import type { Rejection, RejectionEntry } from './rejection.ts'
import { type RejectionText, rejectionTexts, withoutQuotes } from './rejection-texts.ts'
import { rejectionTable } from './table/index.ts'

export interface ReadRejectionOptions {
  /** The provider that rejected, if it is known: its own messages are tried before those of others. */
  readonly for?: DialectId
  /**
   * The body that was sent, as JSON. Providers quote it in their errors: text that is in it does not count as the provider's, unless a
   * message begins with it, or with the name of an error or a place before it.
   */
  readonly request?: string | (() => string)
}

/**
 * Reads what a provider rejected from the status and the body of its answer: text, parsed JSON, or the first events of a
 * stream. Undefined if the message is not known; then nothing should be repaired.
 */
export function readRejection(
  status: number,
  body: unknown,
  { for: provider, request }: ReadRejectionOptions = {},
): Rejection | undefined {
  if (body === undefined || body === null || body === '') return undefined
  const texts = rejectionTexts(body)
  const isInRequest = searchIn(request)
  const find = (entries: readonly RejectionEntry[]): Rejection | undefined => {
    for (const entry of entries) {
      if (!fitsStatus(entry, status)) continue
      for (const said of texts) {
        const match = entry.words.exec(said.text)
        if (!match) continue
        const isEchoed = isInRequest(match[0])
        if (isEchoed && !(said.isMessage && introducesError(said.text.slice(0, match.index)))) continue
        const rejection = rejectionOf(entry, status, said, match.groups ?? {})
        return isEchoed ? { ...rejection, isEchoed } : rejection
      }
    }
    return undefined
  }
  const own =
    provider && rejectionTable.filter(({ kind, history }) => kind === 'history' && history?.reader === provider)
  const found = find(rejectionTable)
  return found?.kind === 'history' && own ? (find(own) ?? found) : found
}

/**
 * Finds the matched text of an error in the request: there, a tool or a web page could have written it. So could it a part with which
 * the matched text begins or ends, where the words of the provider and those of a quote match only together.
 */
function searchIn(request: ReadRejectionOptions['request']): (matched: string) => boolean {
  let sent: string | undefined
  return matched => {
    if (request === undefined) return false
    sent ??= searchable(typeof request === 'string' ? request : request())
    const text = comparable(matched)
    const parts = [
      longest(text, sent, length => text.slice(0, length)),
      longest(text, sent, length => text.slice(-length)),
    ]
    return parts.some(part => part === text || (part.trim().length >= quoteMin && part.trim().includes(' ')))
  }
}

/** Shorter parts of an error are in many requests by chance. */
const quoteMin = 16

/** The longest of the parts with which a text begins, or ends, that is in another text. */
function longest(text: string, other: string, part: (length: number) => string): string {
  let [found, tooLong] = [0, text.length + 1]
  while (tooLong - found > 1) {
    const length = (found + tooLong) >> 1
    if (other.includes(part(length))) found = length
    else tooLong = length
  }
  return found === 0 ? '' : part(found)
}

/** A request as text and as the strings in it: an error may quote either. */
function searchable(request: string): string {
  const texts = [decodeEscapes(request)]
  try {
    eachString(JSON.parse(request), text => texts.push(text))
  } catch {
    // Not JSON, or nested too deep.
  }
  return comparable(texts.map(withoutQuotes).join('\0'))
}

function eachString(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value)
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) visit(key)
      eachString(inner, visit)
    }
}

/** Text as it is compared: the patterns ignore case, and relays change white space. */
const comparable = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ')

/**
 * Whether this text may precede a provider's own message: names of errors, places in the request and phrases of gateways. Anything else,
 * such as `Invalid MIME type`, introduces a quote of the request.
 */
function introducesError(text: string): boolean {
  if (text.length > introductionMax) return false
  return text.split(/[:;,]|\s-\s/).every(phrase => {
    const part = phrase.trim()
    return part === '' || place.test(part) || errorName.test(part) || introductions.test(part)
  })
}

const introductionMax = 300

/** `messages.1.content[0]`, `ValidationException`, `litellm.BadRequestError`. */
const place = /^(?=.*[.[])[\w.[\]]+$/
const errorName = /^[\w.]*(?:error|exception)s?$/i

/** Phrases with which gateways and SDKs pass an error on. */
const introductions =
  /^(?:messages?|input|contents?|prompt|system|tools?|\d{3}|(?:error code|http|status|status code)\s?\d{0,3}|bad request|api error|upstream error|provider error|provider returned error|request failed|error from provider(?: \(\w+\))?|the model returned the following errors?|an error occurred(?: \(\w+\))? when calling the \w+ operation)$/i

/** Characters that JSON may write as `\u003e`. */
const decodeEscapes = (json: string): string =>
  json.replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Whether an answer with this status may be a rejection that can be repaired: its message decides. */
export const mayReject = (status: number): boolean => status >= 400 && status !== 401 && status !== 402 && status < 600

/**
 * A gateway may send a rejection with any status; rejections that the rules repair are recognised only with the statuses that
 * providers use.
 */
const fitsStatus = ({ kind }: RejectionEntry, status: number): boolean =>
  kind !== 'history' || status === 200 || historyStatuses.has(status)

const historyStatuses: ReadonlySet<number> = new Set([400, 404, 422, 500])

const numbers = new Set(['limit', 'used', 'asked', 'over', 'index'])

function rejectionOf(
  { id, kind, repair, history }: RejectionEntry,
  status: number,
  { text, fields }: RejectionText,
  groups: Readonly<Record<string, string | undefined>>,
): Rejection {
  const named: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(groups)) {
    if (value === undefined) continue
    if (numbers.has(name)) {
      const number = Number(value.replaceAll(',', ''))
      if (isCount(number) || (name === 'index' && number === 0)) named[name] = number
    } else
      named[name] =
        name === 'values'
          ? value.split(/[\s,|]+/).filter(word => word !== '' && word !== 'and' && word !== 'or')
          : value
  }
  const { param, n_prompt_tokens: used, n_ctx: limit } = fields
  if (isCount(used) && isCount(limit)) Object.assign(named, { used, limit })
  if (typeof param === 'string' && /^[\w.]{1,80}$/.test(param)) named.parameter ??= param
  const places = typeof param === 'string' && param !== '' ? `${param} ${text}` : text
  return {
    ...{ kind, id, status, text: text.slice(0, textMax), paths: pathsIn(places) },
    ...(repair === undefined ? {} : { repair }),
    ...(history === undefined ? {} : { history }),
    ...named,
  }
}

/** A number in a foreign text may be anything: zero as a limit would have no end. */
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

const textMax = 2000
