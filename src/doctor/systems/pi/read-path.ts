import { isRecord } from '../../../core/conversation.ts'
import { isPlaceholder } from '../../../core/placeholder.ts'
import type { Correction, PathReading, PathRecords } from '../../linked/linked-format.ts'
import type { RecordFields } from '../../record-format.ts'
import { entryContents } from './entry-contents.ts'

/**
 * What pi sends of a path: what its newest compaction kept and what follows, without responses that ended in an error.
 * Such a response is sent again if its calls are complete and have real results.
 */
export function readPiPath(path: PathRecords): PathReading {
  const entries = survey(path)
  const { from, boundary, summary, edits, replayed } = entries
  const contents: PathReading['contents'] = (entry, record) => {
    if (record < from || record === boundary) return []
    const { message } = entry
    const edited = edits.has(entry.id) ? edits.get(entry.id) : message
    if (isFailed(message) && !replayed.has(record)) return []
    return edited === null ? [] : entryContents(entry, edited)
  }
  return {
    contents,
    waiting: { pendingCalls: entries.deferred },
    ...(entries.isAnthropic && { facts: { uniqueIds: 'history' as const } }),
    corrections: [...replayed].map(correctionOf),
    ...(summary !== undefined && { summary }),
  }
}

interface Survey {
  /** The first record that is sent, and the compaction that decides it. */
  readonly from: number
  readonly boundary: number
  /** What the compaction says of the records before. A reset says nothing. */
  readonly summary: string | undefined
  /** The messages that replace others, or null, by the id of the entry. */
  readonly edits: ReadonlyMap<unknown, unknown>
  /** Failed responses whose calls all have real results. */
  readonly replayed: ReadonlySet<number>
  /** The calls that wait at the end. */
  readonly deferred: readonly string[]
  readonly isAnthropic: boolean
}

function survey({ count, value }: PathRecords): Survey {
  const places = new Map<unknown, number>()
  const edits = new Map<unknown, unknown>()
  const replayed = new Set<number>()
  let from = 0
  let boundary = -1
  let summary: string | undefined
  let failed: { readonly record: number; readonly open: Set<unknown> } | undefined
  let deferred: readonly string[] = []
  let isAnthropic = false
  for (let record = 0; record < count; record++) {
    const entry = value(record)
    places.set(entry.id, record)
    if (entry.type === 'compaction' || entry.type === 'reset') {
      from = places.get(entry.firstKeptEntryId) ?? record
      boundary = record
      summary = typeof entry.summary === 'string' && entry.summary !== '' ? entry.summary : undefined
    }
    if (entry.type === 'context_edit') edits.set(entry.targetId, entry.replacement ?? null)
    const { message } = entry
    if (!isRecord(message)) continue
    if (message.role === 'assistant') {
      isAnthropic = /anthropic|bedrock/.test(String(message.api))
      deferred = message.stopReason === 'deferred' ? callIds(message) : []
      failed = isFailed(message) && isComplete(message) ? { record, open: new Set(callIds(message)) } : undefined
    } else if (message.role === 'user') deferred = []
    else if (failed && isRealResult(entry) && failed.open.delete(message.toolCallId) && failed.open.size === 0)
      replayed.add(failed.record)
  }
  return { from, boundary, summary, edits, replayed, deferred, isAnthropic }
}

/** Responses with these reasons are not sent. */
const isFailed = (message: unknown): boolean =>
  isRecord(message) &&
  message.role === 'assistant' &&
  (message.stopReason === 'error' || message.stopReason === 'aborted')

const callsIn = ({ content }: RecordFields): RecordFields[] =>
  Array.isArray(content) ? content.filter(block => isRecord(block) && block.type === 'toolCall') : []

const callIds = (message: RecordFields): string[] => callsIn(message).map(({ id }) => String(id))

/** Whether the arguments of all its calls arrived. */
const isComplete = (message: RecordFields): boolean => {
  const calls = callsIn(message)
  return calls.length > 0 && calls.every(call => isRecord(call.arguments) && !('partialJson' in call))
}

function isRealResult(entry: RecordFields): boolean {
  const [content] = entryContents(entry)
  const part = content?.parts[0]
  return part?.kind === 'result' && !part.error && !isPlaceholder(part)
}

const correctionOf = (record: number): Correction => ({
  record,
  entry: entry => ({ ...entry, message: { ...(entry.message as RecordFields), stopReason: 'toolUse' } }),
  repair: at => ({
    rule: 'dropped-response',
    severity: 'error',
    edits: [],
    at,
    message: 'the response is marked as failed, so the program leaves it out, but sends the results of its calls',
    help: 'mark it as complete: its calls have results (lossless)',
    class: 'lossless',
  }),
})
