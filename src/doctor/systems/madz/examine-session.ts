import type { CallPart, Message, Part } from '../../../core/conversation.ts'
import { Draft, dropParts } from '../../../core/edit.ts'
import { valueAt } from '../../../core/invariant.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { type ArrangedRecord, recordsIn } from '../../arrange.ts'
import { drawExamined, type ExaminedRecords, examinationFrom, examineEntries } from '../../examine-entries.ts'
import { swapFile } from '../../files/swap-file.ts'
import { judge } from '../../judge.ts'
import { withTemplateQuotes } from '../../quote.ts'
import { withWholeContents } from '../../record-format.ts'
import type { Drawing, DroppedRecord, Examination } from '../../system.ts'
import { joinSystems } from './join-systems.ts'
import { madzSessionFormat } from './record-format.ts'
import { type SessionEntry, type SessionFile, writtenSession } from './session-file.ts'

/**
 * Judges a session. A call without a result is dropped, because a session file has no form for a placeholder result.
 */
export function examineMadzSession(session: SessionFile): Examination {
  const { path, text, spans, entries } = session
  const examined = examineEntries(entries, madzSessionFormat)
  const show = (record: number): Omit<DroppedRecord, 'rule'> => ({
    at: `entry ${record + 1}`,
    content: text.slice(valueAt(spans, record).start, valueAt(spans, record).end),
  })
  const draw = (): Drawing => withWholeContents(() => drawSession(examineEntries(entries, madzSessionFormat), show))
  const examination = { ...examinationFrom(examined, show), draw }
  if (examination.repairs.length === 0) return examination
  const lines = [...recordsIn(examined.places, entries.length)]
  const open = openCalls(lines)
  const healed = joinSystems(lines.flatMap(line => entryOf(line, entries, open.get(line.record))))
  return {
    ...examination,
    repairs: asDropped(examination.repairs, examined).map(withTemplateQuotes),
    dropped: [...examination.dropped, ...droppedCalls(open, entries, show)],
    storeRepair: {
      files: [path],
      apply: assertUnused => swapFile(path, session.fingerprint, [writtenSession(session, healed)], assertUnused),
    },
  }
}

/** The session without the calls that have no result, and then with all other repairs. */
function drawSession(examined: ExaminedRecords, show: (record: number) => Omit<DroppedRecord, 'rule'>): Drawing {
  const drawing = drawExamined(examined, show)
  const open = drawing.repairs.filter(({ rule }) => rule === 'unanswered-call')
  if (open.length === 0) return drawing
  const draft = new Draft(drawing.messages)
  const callers = new Map<string, number>()
  for (const { key, parts } of drawing.messages)
    for (const part of parts) if (part.kind === 'call') callers.set(part.id, key)
  const drops = open.map((repair): Repair => {
    const from = draft.edits.length
    const message = draft.get(callers.get(repair.callId ?? '') ?? -1)
    const isOpen = (part: Part): boolean => part.kind === 'call' && part.id === repair.callId
    if (message) dropParts(draft, message.key, message.parts.filter(isOpen))
    return { ...repair, class: 'lossy', edits: draft.edits.slice(from) }
  })
  const left = judge(
    draft.messages.map(message => ({ message, records: [] })),
    madzSessionFormat,
  )
  return { ...drawing, repairs: [...drops, ...left.repairs], remaining: left.remaining }
}

/** The calls without a result, by the entry that makes them. */
function openCalls(lines: readonly ArrangedRecord[]): ReadonlyMap<number, readonly CallPart[]> {
  const open = new Map<number, CallPart[]>()
  for (const line of lines) {
    if (line.kind !== 'made') continue
    const calls = open.get(line.record)
    if (calls) calls.push(line.call)
    else open.set(line.record, [line.call])
  }
  return open
}

/** The new text of a line; empty if it contained only open calls. */
function entryOf(
  line: ArrangedRecord,
  entries: readonly SessionEntry[],
  open: readonly CallPart[] = [],
): readonly SessionEntry[] {
  const entry = valueAt(entries, line.record)
  if (line.kind === 'made') return []
  if (line.kind === 'kept' && open.length === 0) return [entry]
  const parts =
    line.kind === 'written' ? line.parts : madzSessionFormat.read(entry, line.record).flatMap(content => content.parts)
  const ids = new Set(open.map(({ id }) => id))
  const left = parts.filter(part => part.kind !== 'call' || !ids.has(part.id))
  return left.length > 0 ? [madzSessionFormat.write(entry, left, 0)] : []
}

function droppedCalls(
  open: ReadonlyMap<number, readonly CallPart[]>,
  entries: readonly SessionEntry[],
  show: (record: number) => Omit<DroppedRecord, 'rule'>,
): DroppedRecord[] {
  const rule = 'unanswered-call'
  return [...open].flatMap(([record, calls]): DroppedRecord[] => {
    const parts = madzSessionFormat.read(valueAt(entries, record), record).flatMap(content => content.parts)
    if (parts.length === calls.length) return [{ ...show(record), rule }]
    return calls.map(({ raw }) => ({ at: show(record).at, rule, content: JSON.stringify(raw) ?? '' }))
  })
}

/** Reports of answers that were not added: the calls are dropped instead. */
function asDropped(repairs: readonly Repair[], { messageRecords }: ExaminedRecords): readonly Repair[] {
  const messages = new Map<string, Message>()
  for (const { message } of messageRecords)
    for (const part of message.parts) if (part.kind === 'call') messages.set(part.id, message)
  return repairs.map(repair => {
    const before = repair.rule === 'unanswered-call' ? messages.get(repair.callId ?? '') : undefined
    if (!before) return repair
    const parts = before.parts.filter(part => part.kind !== 'call' || part.id !== repair.callId)
    const help = 'drop it, as madz does when it was interrupted'
    return { ...repair, class: 'lossy', help, edits: [{ kind: 'replace', before, after: { ...before, parts } }] }
  })
}
