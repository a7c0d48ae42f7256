import type { TapeEntry } from '../../../../observe/tape/entry.ts'
import type { Inspection } from '../../../../observe/tape/inspect.ts'

type RequestSeen = Inspection['requests'][number]
type CallSeen = Inspection['calls'][number]

/** One event of a tape, with its start, and its end if it has a duration. */
export interface TapeRow {
  readonly kind: 'request' | 'call' | 'input' | 'interrupt'
  readonly key: string
  readonly at: number
  readonly until?: number
  /** Its end is not on the tape. */
  readonly isOpen?: true
  readonly title: string
  /** Its outcome. */
  readonly sign: RowSign
  readonly words: readonly string[]
  /** The number of a request. */
  readonly request?: number
  readonly isFirstFailure?: true
}

export type RowSign = 'good' | 'bad' | 'doubt' | 'open' | 'none'

/** All rows of the time line, by time. */
export function tapeRows(entries: readonly TapeEntry[], { requests, calls, firstFailure }: Inspection): TapeRow[] {
  const end = entries.reduce((latest, { at }) => Math.max(latest, at), 0)
  const rows = [
    ...requests.map(request => requestRow(request, end, firstFailure?.request === request.number)),
    ...calls.flatMap((call, index) => callRow(call, index, end) ?? []),
    ...entries.flatMap((entry, index) => inputRow(entry, index) ?? []),
  ]
  return rows.sort((one, other) => one.at - other.at)
}

function requestRow(seen: RequestSeen, end: number, isFirstFailure: boolean): TapeRow {
  const { number, request, content, repairs, verdict, answeredAt, status, refusal } = seen
  const errors = content?.errors ?? []
  const facts = [
    ...(content
      ? [`${content.messages} ${content.messages === 1 ? 'message' : 'messages'} for ${content.dialect}`]
      : []),
    verdict === 'open' ? 'no response on the tape' : `${verdict}${status === undefined ? '' : ` (${status})`}`,
  ]
  return {
    kind: 'request',
    key: `request ${number}`,
    at: request.at,
    until: answeredAt ?? end,
    ...(answeredAt === undefined ? { isOpen: true } : {}),
    title: `request ${number}`,
    sign: errors.length > 0 || verdict === 'rejected' ? 'bad' : signOf[verdict],
    words: [
      facts.join(', '),
      ...(errors.length > 0
        ? [`${errors.length === 1 ? 'malformed' : `malformed in ${errors.length} places`}: ${rulesOf(errors)}`]
        : []),
      ...(repairs.length > 0 ? [`repaired before it was sent: ${rulesOf(repairs)}`] : []),
      ...(refusal === undefined ? [] : [shorten(`"${refusal}"`, 300)]),
    ],
    request: number,
    ...(isFirstFailure ? { isFirstFailure } : {}),
  }
}

const signOf = { accepted: 'good', rejected: 'bad', failed: 'doubt', open: 'open' } as const

const rulesOf = (broken: readonly { readonly rule: string }[]): string => {
  const rules = [...new Set(broken.map(({ rule }) => rule))]
  return rules.slice(0, 4).join(', ') + (rules.length > 4 ? ` and ${rules.length - 4} more` : '')
}

/** A call that is only in requests has no row. */
function callRow(
  { id, name, recorded, starts, ends, sent }: CallSeen,
  index: number,
  end: number,
): TapeRow | undefined {
  const at = starts[0] ?? recorded?.at
  if (at === undefined) return undefined
  const over = ends[0]
  const missing = sent.filter(({ answered }) => !answered)
  return {
    kind: 'call',
    key: `call ${index}`,
    at,
    until: over?.at ?? end,
    ...(over ? {} : { isOpen: true }),
    title: name === '' || name === id ? id : name,
    sign: over ? (endSign.get(over.status) ?? 'doubt') : missing.length > 0 ? 'bad' : 'open',
    words: [
      [
        ...(name === '' || name === id ? [] : [id]),
        starts.length > 1 ? `started ${starts.length} times` : starts.length === 1 ? 'started' : 'not started here',
        over ? (endWords.get(over.status) ?? over.status) : 'its end is not on the tape',
      ].join(', '),
      ...(missing.length > 0 ? [`sent without its result in ${requestsOf(missing)}`] : []),
    ],
  }
}

// The status is from the file, so it may be any string, such as `constructor`.
const endSign: ReadonlyMap<string, RowSign> = new Map([
  ['done', 'good'],
  ['error', 'doubt'],
  ['made-up', 'doubt'],
])
const endWords: ReadonlyMap<string, string> = new Map([
  ['done', 'done'],
  ['error', 'ended with an error'],
  ['made-up', 'answered by a placeholder'],
])

const requestsOf = (sent: readonly { readonly request: number }[]): string => {
  const numbers = sent.map(({ request }) => request)
  const shown = numbers.slice(0, 5).join(', ')
  return `request${numbers.length === 1 ? '' : 's'} ${shown}${numbers.length > 5 ? ` and ${numbers.length - 5} more` : ''}`
}

function inputRow(entry: TapeEntry, index: number): TapeRow | undefined {
  if (entry.kind === 'input') {
    const { content, lost } = entry
    const words = content === undefined ? lost : typeof content === 'string' ? content : JSON.stringify(content)
    return point('input', index, entry.at, 'input', words)
  }
  if (entry.kind === 'interrupt') return point('interrupt', index, entry.at, 'interrupt', entry.reason)
  return undefined
}

const point = (
  kind: 'input' | 'interrupt',
  index: number,
  at: number,
  title: string,
  words: string | undefined,
): TapeRow => ({
  kind,
  key: `${kind} ${index}`,
  at,
  title,
  sign: 'none',
  words: words === undefined || words === '' ? [] : [shorten(words, 300)],
})

/** The start of a text, with an ellipsis if it is cut. */
const shorten = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)} …` : text)
