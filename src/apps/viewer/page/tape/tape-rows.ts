import type { TapeEntry } from '../../../../observe/tape/entry.ts'
import type { Inspection } from '../../../../observe/tape/inspect.ts'
import { clip } from './clip.ts'

type RequestSeen = Inspection['requests'][number]
type CallSeen = Inspection['calls'][number]

/** One thing that a tape saw, with its time, and its end if it lasted. */
export interface TapeRow {
  readonly kind: 'request' | 'call' | 'input' | 'interrupt'
  readonly key: string
  readonly at: number
  readonly until?: number
  /** It had begun, and the tape does not have its end. */
  readonly isOpen?: true
  readonly title: string
  /** What became of it. */
  readonly sign: RowSign
  readonly words: readonly string[]
  /** The number of a request. */
  readonly request?: number
  readonly isMoment?: true
}

export type RowSign = 'good' | 'bad' | 'doubt' | 'open' | 'none'

/** Everything on the time line, in its order. */
export function tapeRows(
  entries: readonly TapeEntry[],
  { requests, calls, firstFailure: moment }: Inspection,
): TapeRow[] {
  const end = entries.reduce((latest, { at }) => Math.max(latest, at), 0)
  const rows = [
    ...requests.map(request => requestRow(request, end, moment?.request === request.number)),
    ...calls.flatMap((call, index) => callRow(call, index, end) ?? []),
    ...entries.flatMap((entry, index) => saidRow(entry, index) ?? []),
  ]
  return rows.sort((one, other) => one.at - other.at)
}

function requestRow(seen: RequestSeen, end: number, isMoment: boolean): TapeRow {
  const { number, request, content: reading, repairs, verdict, answeredAt, status, refusal } = seen
  const errors = reading?.errors ?? []
  const facts = [
    ...(reading
      ? [`${reading.messages} ${reading.messages === 1 ? 'message' : 'messages'} for ${reading.dialect}`]
      : []),
    verdict === 'open' ? 'the tape has no response' : `${verdict}${status === undefined ? '' : ` (${status})`}`,
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
      ...(repairs.length > 0 ? [`healed on its way: ${rulesOf(repairs)}`] : []),
      ...(refusal === undefined ? [] : [clip(`"${refusal}"`, 300)]),
    ],
    request: number,
    ...(isMoment ? { isMoment } : {}),
  }
}

const signOf = { accepted: 'good', rejected: 'bad', failed: 'doubt', open: 'open' } as const

const rulesOf = (broken: readonly { readonly rule: string }[]): string => {
  const rules = [...new Set(broken.map(({ rule }) => rule))]
  return rules.slice(0, 4).join(', ') + (rules.length > 4 ? ` and ${rules.length - 4} more` : '')
}

/** A call that the tape only saw in requests is no event of its own. */
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
    sign: over ? (endSign[over.status] ?? 'doubt') : missing.length > 0 ? 'bad' : 'open',
    words: [
      [
        ...(name === '' || name === id ? [] : [id]),
        starts.length > 1 ? `started ${starts.length} times` : starts.length === 1 ? 'started' : 'not started here',
        over ? (endWords[over.status] ?? over.status) : 'the tape has no end of it',
      ].join(', '),
      ...(missing.length > 0 ? [`sent without its result in ${requestsOf(missing)}`] : []),
    ],
  }
}

const endSign: Record<string, RowSign | undefined> = { done: 'good', error: 'doubt', 'made-up': 'doubt' }
const endWords: Record<string, string | undefined> = {
  done: 'done',
  error: 'ended with an error',
  'made-up': 'answered by a placeholder',
}

const requestsOf = (sent: readonly { readonly request: number }[]): string => {
  const numbers = sent.map(({ request }) => request)
  const shown = numbers.slice(0, 5).join(', ')
  return `request${numbers.length === 1 ? '' : 's'} ${shown}${numbers.length > 5 ? ` and ${numbers.length - 5} more` : ''}`
}

function saidRow(entry: TapeEntry, index: number): TapeRow | undefined {
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
  words: words === undefined || words === '' ? [] : [clip(words, 300)],
})
