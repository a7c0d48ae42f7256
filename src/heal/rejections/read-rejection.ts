import type { DialectId } from '../../core/dialects/index.ts'
import { pathsIn } from './paths.ts'
import type { Rejection, RejectionEntry } from './rejection.ts'
import { type RejectionText, rejectionTexts } from './rejection-texts.ts'
import { rejectionTable } from './table/index.ts'

export interface ReadRejectionOptions {
  /** The provider that rejected, if it is known: its own messages are tried before those of others. */
  readonly for?: DialectId
  /**
   * The body that was sent, as JSON. Providers quote it in their errors: text that is also in the request is not taken as the
   * provider's, unless it begins the message or follows only the name of an error or a path.
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
      for (const candidate of texts) {
        const match = entry.words.exec(candidate.text)
        if (!match) continue
        const isEchoed = isInRequest(match[0])
        if (isEchoed && !(candidate.isMessage && introducesError(candidate.text.slice(0, match.index)))) continue
        const rejection = rejectionOf(entry, status, candidate, match.groups ?? {})
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
 * Finds in the request the words with which the matched text of an error begins or ends: a tool or a web page could have written these,
 * and the provider quoted them. The request is searched as it is, since it may be long.
 */
function searchIn(request: ReadRejectionOptions['request']): (matched: string) => boolean {
  let sent: string | undefined
  return matched => {
    const words = matched.match(/\w+/g)
    if (request === undefined || words === null) return false
    sent ??= typeof request === 'string' ? request : request()
    const [first, last] = [firstWords(words), [...firstWords([...words].reverse())].reverse()]
    return new RegExp(`${first.join(betweenWords)}|${last.join(betweenWords)}`, 'i').test(sent)
  }
}

/** As many words as are not in a request by chance. */
function firstWords(words: readonly string[]): readonly string[] {
  let length = -1
  const count = words.findIndex((word, index) => {
    length += 1 + word.length
    return index > 0 && length >= quoteMin
  })
  return count < 0 ? words : words.slice(0, count + 1)
}

const quoteMin = 16

/** What is between two words of one JSON string. */
const betweenWords = String.raw`(?:\\(?:u[\da-f]{4}|.)|[^\w"\\]){1,40}`

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

/** Whether an answer with this status may be a rejection that can be repaired: its message decides. */
export const mayReject = (status: number): boolean => status >= 400 && status !== 401 && status !== 402 && status < 600

/**
 * A gateway may send a rejection with any status; rejections that the rules repair are recognised only with the statuses that
 * providers use.
 */
const fitsStatus = ({ kind, isGeneral }: RejectionEntry, status: number): boolean =>
  (kind !== 'history' && !isGeneral) ||
  status === 200 ||
  rejectingStatuses.has(status) ||
  (status === 413 && !!isGeneral)

const rejectingStatuses: ReadonlySet<number> = new Set([400, 404, 422, 500])

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
  const { param = paramIn(text), n_prompt_tokens: used, n_ctx: limit } = fields
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

/** The parameter that an error names which was printed by Python: `param: reasoning_effort, code: …`. */
const paramIn = (text: string): string | undefined =>
  /\bparam: (?!None\b|null\b)([\w.[\]]{1,80})(?=[,}])/.exec(text)?.[1]

/** A number in a foreign text may be anything: zero as a limit would have no end. */
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

const textMax = 2000
