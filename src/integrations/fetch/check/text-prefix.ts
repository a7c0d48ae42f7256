import { codecs } from '../../../codecs/index.ts'
import { listSpans } from '../../../core/json/json-spans.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import type { RequestOptions } from '../../../heal/request/heal-request.ts'
import type { Endpoint } from '../endpoint.ts'
import { type HealedText, healRequestText, type PriorRejections } from '../heal-request-text.ts'
import { type HealthyPrefixes, type KnownPrefix, placeholder, type RequestContent } from './healthy-prefixes.ts'
import { continuesHealthy, healthyStart } from './surely-healthy.ts'

/** `healRequestText`, which reads only what follows a prefix that is known to be healthy. */
export function healTextByPrefix(
  prefixes: HealthyPrefixes | undefined,
  text: string,
  endpoint: Endpoint,
  options: RequestOptions,
  after: PriorRejections,
): HealedText | undefined {
  if (!prefixes || after.rejection || after.lessons || !prefixes.isWorth(text.length, undefined))
    return healRequestText(text, endpoint, options, after)
  const content = textContent(text)
  const known = prefixes.find(content)
  if (known) {
    const rest = `${text.slice(0, known.historyAt)}"${placeholder}",${text.slice(known.length)}`
    const value = tryParseJson(rest)
    const healthy = continuesHealthy(value, placeholder, endpoint, options, known.start)
    if (healthy) {
      later(() => remember(prefixes, content, { text: rest, value, known }, endpoint, options))
      return { text, changed: false, repairs: [], remaining: [], renamedTools: undefined, ...healthy }
    }
  }
  const value = tryParseJson(text)
  const healed = healRequestText(text, endpoint, options, after, value)
  if (healed?.changed === false && healed.remaining.length === 0)
    later(() => remember(prefixes, content, { text, value }, endpoint, options))
  return healed
}

/** After the request is sent. */
const later = (work: () => void): unknown => setTimeout(work, 0)

/** A request that was read: all of it, or with a placeholder for what is known. */
export interface ReadRequest {
  /** The text that was read, or its outline. */
  readonly text: string
  readonly value: unknown
  readonly known?: KnownPrefix | undefined
  /** Where a place of the text is in what was read; in a text it is the same. */
  placeOf?(at: number): number
}

/** Remembers the prefix of a healthy request, if that is worth it. Never throws: a request is not rejected because of it. */
export function remember(
  prefixes: HealthyPrefixes,
  content: RequestContent,
  { text, value, known, placeOf = at => at }: ReadRequest,
  endpoint: Endpoint,
  options: RequestOptions,
): void {
  if (!prefixes.isWorth(content.length, known)) return
  try {
    const start = healthyStart(value, endpoint, options, known?.start)
    const list = start && listSpans(text, codecs[endpoint.format].format.root)
    const next = start && list?.elements[start.messages + (known ? 1 : 0)]
    if (!start || !list || !next) return
    const historyAt = known?.historyAt ?? placeOf(list.start + 1)
    const skipped = known ? known.length - (historyAt + placeholder.length + 3) : 0
    const prefix = { length: placeOf(next.start) + skipped, historyAt, start }
    if (prefixes.isWorth(prefix.length, known)) prefixes.add(content, prefix, known)
  } catch {
    // Nothing is remembered.
  }
}

const textContent = (text: string): RequestContent => ({
  length: text.length,
  slice: (from, to) => text.slice(from, to),
  *pieces(to) {
    const { Buffer } = globalThis
    const buffer = Buffer.allocUnsafe(2 * pieceLength)
    for (let from = 0; from < to; from += pieceLength) {
      const length = buffer.write(text.slice(from, Math.min(to, from + pieceLength)), 'utf16le')
      yield buffer.subarray(0, length)
    }
  },
})

/** UTF-16 units: UTF-8 would write halves of characters alike. */
const pieceLength = 64 * 1024
