import type { TapeEntry } from '../../../observe/tape/entry.ts'
import { formatDuration } from '../../../observe/tape/format-duration.ts'
import type { Inspection } from '../../../observe/tape/inspect.ts'
import type { CallSeen, RequestSeen } from '../../../observe/tape/timeline.ts'
import { plural } from '../counts.ts'
import { Lanes } from '../lanes.ts'
import type { Paint, TextStyle } from '../paint.ts'
import { shorten } from '../plain.ts'

/** One line of the drawing. */
interface Row {
  readonly mark: string
  readonly style?: TextStyle
  readonly text: string
}

/**
 * The order of a tape, from top to bottom: the time, what happened, and a bar for each call as long as it is open. A line
 * marks the first failure. At most `columns` wide.
 */
export function drawTape(
  entries: readonly TapeEntry[],
  inspection: Inspection,
  paint: Paint,
  columns: number,
  rowsMax: number,
): string[] {
  const { requests, firstFailure } = inspection
  const byId = new Map(requests.map(request => [request.request.id, request]))
  const made = callsByRequest(inspection.calls)
  const lanes = new Lanes(inspection)
  const bad = firstFailure && requests[firstFailure.request - 1]?.position
  const start = entries[0]?.at ?? 0
  const [from, to] = windowOf(entries.length, bad, rowsMax)
  const rows = entries.map(entry => ({ entry, bars: lanes.next(entry).trimEnd() })).slice(from, to)
  const width = rows.reduce((widest, { bars }) => Math.max(widest, bars.length), 1)
  const lines: string[] = from > 0 ? [paint('faint', `... ${from} before; --all prints them`)] : []
  for (const [index, { entry, bars }] of rows.entries()) {
    const { mark, style, text } = rowOf(entry, byId, made)
    const time = `${`+${formatDuration(entry.at - start)}`.padStart(timeWidth)}  `
    const shown = shorten(text, columns - time.length - 2 - width - 2)
    const [drawn, painted] = style ? [paint(style, mark), paint(style, shown)] : [mark, shown]
    lines.push(`${paint('faint', time)}${drawn} ${paint('place', bars.padEnd(width))}  ${painted}`)
    if (from + index === bad && firstFailure) {
      const what = firstFailure.why === 'malformed' ? 'the history is malformed' : 'a request was rejected'
      lines.push(paint('error', `${' '.repeat(time.length)}╰─ here ${what} for the first time`))
    }
  }
  if (to < entries.length) lines.push(paint('faint', `... ${entries.length - to} after; --all prints them`))
  return lines
}

const timeWidth = 13

/** What to show of a long tape: the rows around the first failure, or else the first ones. */
function windowOf(count: number, bad: number | undefined, rowsMax: number): [number, number] {
  const from = Math.max(0, Math.min((bad ?? 0) - Math.floor((rowsMax * 3) / 4), count - rowsMax))
  return [from, Math.min(count, from + rowsMax)]
}

function callsByRequest(calls: readonly CallSeen[]): Map<number, CallSeen[]> {
  const made = new Map<number, CallSeen[]>()
  for (const call of calls) {
    const by = call.recorded?.request
    if (by === undefined) continue
    const known = made.get(by)
    if (known) known.push(call)
    else made.set(by, [call])
  }
  return made
}

function rowOf(entry: TapeEntry, requests: Map<string, RequestSeen>, made: Map<number, CallSeen[]>): Row {
  switch (entry.kind) {
    case 'request': {
      const request = requests.get(entry.id)
      const [error] = request?.content?.errors ?? []
      const about = request?.content
        ? `  ${request.content.dialect}, ${plural(request.content.messages, 'message')}`
        : `  ${entry.lost ?? 'no history'}`
      const fault = error ? `  ${error.rule} at ${error.at}` : ''
      return { mark: '●', ...(error ? { style: 'error' } : {}), text: `request ${request?.number}${about}${fault}` }
    }
    case 'response':
      return answerRow(entry, requests.get(entry.request ?? ''), made)
    case 'call-start':
      return { mark: ' ', text: `${label(entry.call, entry.name)} started` }
    case 'call-end':
      return {
        mark: ' ',
        ...(entry.status === 'done' ? {} : { style: 'warning' }),
        text: `${label(entry.call, entry.name)} ended: ${entry.status === 'made-up' ? 'a placeholder' : entry.status}`,
      }
    case 'input':
      return { mark: '▸', style: 'strong', text: 'input' }
    case 'interrupt':
      return { mark: '■', style: 'warning', text: 'interrupt' }
    case 'repair': {
      const rules = [...new Set(entry.repairs.map(({ rule }) => rule))].join(', ')
      return { mark: '~', style: 'repaired', text: `repaired before it was sent: ${rules}` }
    }
  }
}

function answerRow(
  { status, refusal }: Extract<TapeEntry, { kind: 'response' }>,
  request: RequestSeen | undefined,
  made: Map<number, CallSeen[]>,
): Row {
  if (!request) return { mark: '✓', text: 'response' }
  const { number, verdict } = request
  // The rest would not fit into the line, and on a foreign tape a request may have thousands of responses and of calls.
  const shown = (made.get(number) ?? []).slice(0, callsShown)
  const calls = shown.map(({ id, name }) => label(id, name)).join(', ')
  const words = refusal === undefined ? '' : `: ${refusal}`
  const text = `request ${number} ${verdict}${status === undefined ? '' : ` ${status}`}${words}`
  if (verdict === 'accepted') return { mark: '✓', style: 'fix', text: calls === '' ? text : `${text}: ${calls}` }
  return { mark: '✗', style: verdict === 'rejected' ? 'error' : 'warning', text }
}

/** More than a line has room for. */
const callsShown = 50

export const label = (id: string, name = ''): string => (name === '' || name === id ? id : `${name} ${id}`)
