import { statSync } from 'node:fs'
import { type CodecId, codecs } from '../../../codecs/index.ts'
import { valueAt } from '../../../core/invariant.ts'
import { RuleContext } from '../../../core/rules/rule.ts'
import type { CallCounts } from '../../../heal/count.ts'
import { type HealPlan, planFor } from '../../../heal/options.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import { SegmentScan } from '../../../heal/segments/scan-segments.ts'
import { Evidence, whyNotEmptied } from '../../backup/proof.ts'
import { stateOf } from '../../examine-entries.ts'
import { examineList } from '../../examine-list.ts'
import { fileError } from '../../files/file-error.ts'
import { fingerprint } from '../../files/fingerprint.ts'
import { rawLines } from '../../files/raw-lines.ts'
import type { AssertUnused } from '../../files/swap-file.ts'
import { jsonDocumentBytesMax } from '../../json-document.ts'
import { parseLine } from '../../line-file.ts'
import { lostContent } from '../../lost-content.ts'
import { repairList } from '../../rejected/repair-list.ts'
import { notJsonNotes } from '../../report-text.ts'
import { brokenSince } from '../../since.ts'
import type { Drawing, Examination, RejectionExamination } from '../../system.ts'
import { isBlankLine } from './message-lines.ts'
import { healSparsely, type LineOutline } from './sparse.ts'
import { writeMessages } from './write-messages.ts'

/**
 * Examines a history with one message per line, of any size. The first pass keeps only ids and positions in memory;
 * doubtful ranges are read again. If a defect concerns the whole history, all of it is read.
 */
export function examineMessages(path: string, format: CodecId): Examination {
  const before = fingerprint(path)
  const asked = planFor([], { format })
  const plan = { ...asked, choices: { ...asked.choices, pending: 'named' as const } }
  const { outline, counts, notes, evidence } = outlineOf(path, plan)
  const found = evidence.detection.verdict()
  if (found !== format && outline.count > 0) {
    if (found === undefined) throw fileError(path, 'its lines are not messages of one known format')
    return examineMessages(path, found)
  }
  const draw = (): Drawing => examineList(allOf(path), { format }).draw()
  if (outline.ranges.length === 0)
    return { state: 'healthy', counts, repairs: [], remaining: [], dropped: [], notes, draw }
  const root = codecs[format].format.root
  const sparse = healSparsely(path, outline, plan)
  const messages = sparse?.messages ?? allOf(path)
  const { messages: healed, ...examination } = sparse
    ? foundIn(sparse, outline, counts, plan)
    : examineList(messages, { format })
  const dropped = [...examination.dropped, ...lostContent(messages, healed, examination, root)]
  if (examination.repairs.length === 0) return { ...examination, dropped, notes, draw }
  const whyNot = evidence.whyNotWritten ?? whyNotEmptied(messages, healed)
  if (whyNot !== undefined) return { ...examination, dropped, notes: [...notes, whyNot], draw }
  const storeRepair = {
    files: [path],
    apply: (assertUnused: AssertUnused | undefined) =>
      writeMessages(path, before, outline.bad, messages, healed, assertUnused),
  }
  return { ...examination, dropped, notes, storeRepair, draw }
}

/** What would be repaired in such a history after a rejection. All of it is kept in memory. */
export function examineRejectedMessages(path: string, format: CodecId, rejection: Rejection): RejectionExamination {
  const before = fingerprint(path)
  const { outline, evidence, notes } = outlineOf(path, planFor([], { format }))
  const found = evidence.detection.verdict()
  if (found !== undefined && found !== format) return examineRejectedMessages(path, found, rejection)
  const messages = allOf(path)
  const { healed, ...repaired } = repairList(messages, format, rejection)
  if (healed === undefined) return repaired
  const apply = (assertUnused: AssertUnused | undefined) =>
    writeMessages(path, before, outline.bad, messages, healed, assertUnused)
  return { ...repaired, notes, storeRepair: { files: [path], apply } }
}

interface Outlined {
  readonly outline: LineOutline
  readonly counts: CallCounts
  readonly notes: readonly string[]
  readonly evidence: Evidence
}

function outlineOf(path: string, { codec, facts }: HealPlan): Outlined {
  const survey = new SegmentScan(codec, facts)
  const evidence = new Evidence(codec)
  const places = new Map<string, number[]>()
  const bad = new Set<number>()
  let [calls, results, line, count] = [0, 0, 0, 0]
  for (const raw of rawLines(path)) {
    line++
    const message = parseLine(raw)
    if (message === undefined && !isBlankLine(raw.bytes)) bad.add(line)
    if (message === undefined) continue
    survey.push(message)
    for (const id of codec.callIds(message)) {
      const known = places.get(id)
      if (known) known.push(count)
      else places.set(id, [count])
    }
    count++
    for (const { parts } of evidence.push(message)) {
      for (const { kind } of parts) {
        if (kind === 'call') calls++
        if (kind === 'result') results++
      }
    }
  }
  const outline = { count, cuts: survey.cuts, ranges: survey.segments(), calls: places, bad }
  const notes = notJsonNotes([...bad])
  return { outline, counts: { calls, results, orphans: 0, unanswered: 0 }, notes, evidence }
}

/** The results of the ranges as an examination. */
function foundIn(
  { messages, ranges, healed }: NonNullable<ReturnType<typeof healSparsely>>,
  { cuts }: LineOutline,
  counts: CallCounts,
  plan: HealPlan,
): Omit<ReturnType<typeof examineList>, 'draw'> {
  const { repairs, remaining } = healed
  const countOf = (rule: string): number => repairs.filter(repair => repair.rule === rule).length
  const { from, to } = valueAt(ranges, 0)
  const context = new RuleContext(plan.codec.decode(messages, from, to), plan)
  const begin = brokenSince(context, plan.rules, cuts.indexOf(from))
  return {
    state: stateOf({ repairs, remaining, waiting: 0 }),
    counts: { ...counts, orphans: countOf('orphan-result'), unanswered: countOf('unanswered-call') },
    ...(begin ? { since: begin } : {}),
    repairs,
    remaining,
    dropped: [],
    messages: healed.messages,
  }
}

function allOf(path: string): unknown[] {
  if (statSync(path).size > jsonDocumentBytesMax)
    throw fileError(
      path,
      'it is larger than 256 MB, and its defects can be repaired only in the history as a whole, so it was left as it is',
    )
  const messages: unknown[] = []
  for (const line of rawLines(path)) {
    const message = parseLine(line)
    if (message !== undefined) messages.push(message)
  }
  return messages
}
