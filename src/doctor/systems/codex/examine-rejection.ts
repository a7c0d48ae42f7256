import { isRecord } from '../../../core/conversation.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import { printLike } from '../../files/print-like.ts'
import { isOfContent } from '../../rejected/is-stored.ts'
import { repairHistory } from '../../rejected/repair-stored.ts'
import { reportText } from '../../report-text.ts'
import type { DroppedRecord, RejectionExamination } from '../../system.ts'
import { type Inherited, scanOrThrow, writeRollout } from './examine.ts'
import type { RolloutItem } from './item.ts'
import { removeMember, retire } from './item-text.ts'
import { itemText, readPieces } from './piece-bytes.ts'
import { RolloutPlan } from './plan.ts'
import { drop } from './plan-edits.ts'
import { itemPlace } from './report.ts'
import type { RolloutFile } from './rollout-file.ts'
import type { WantedRecords } from './unwanted-record.ts'

/**
 * What would be repaired in the items that Codex sends, after a rejection. Items of the rollout that this one continues
 * stay.
 */
export function examineRolloutRejection(
  file: RolloutFile,
  inherited: Inherited,
  isPaginated: boolean,
  rejection: Rejection,
): RejectionExamination {
  if (!isOfContent(rejection)) return { repairs: [], remaining: [] }
  const wantedRecords: WantedRecords = isPaginated ? 'all' : 'history'
  const scan = scanOrThrow(file, inherited, wantedRecords)
  const { items } = scan.history
  const all = Array.from({ length: items.length }, (_, at) => items.item(at))
  const own = all.filter(({ piece }) => piece >= 0)
  const pieceBytes = readPieces(file, [...new Set(own.map(({ piece }) => piece))])
  const texts = own.map(item => itemText(item, pieceBytes))
  const values = texts.map(text => JSON.parse(text) as unknown)
  const { messages, repairs, remaining } = repairHistory(
    values,
    'openai-responses',
    rejection,
    index => own[index] && itemPlace(own[index], scan),
  )
  const notes = own.length < all.length ? ['items of the rollout that this one continues are not changed here'] : []
  if (repairs.length === 0) return { repairs, remaining, ...(remaining.length > 0 && { notes }) }
  const plan = new RolloutPlan()
  const kept = new Map(messages.map(({ origin, message }) => [origin, message]))
  const dropped: DroppedRecord[] = []
  const unfit: RolloutItem[] = []
  for (const [index, item] of own.entries()) {
    const now = kept.get(index)
    if (now === values[index]) continue
    if (now === undefined) {
      if (isPaginated) plan.edit(item, retire)
      else drop(plan, item)
      dropped.push({ at: itemPlace(item, scan), rule: rejection.kind, content: reportText(texts[index]) })
    } else if (!isPaginated) plan.edit(item, text => printLike({ text, value: values[index] }, now))
    else if (lostOnlyId(values[index], now)) plan.edit(item, removeMember('id', true))
    else unfit.push(item)
  }
  if (unfit.length > 0)
    return {
      repairs: [],
      remaining: [...repairs.map(({ class: _, edits: __, ...found }): Diagnostic => found), ...remaining],
      notes: [
        ...notes,
        'other sessions may continue it from a position in the file, so no record may change its length: it was left as it is',
      ],
    }
  return {
    repairs,
    remaining,
    dropped,
    notes,
    storeRepair: {
      files: [file.path],
      apply: assertUnused => writeRollout(file, plan, pieceBytes, scan.nextOrdinal, wantedRecords, assertUnused),
    },
  }
}

function lostOnlyId(before: unknown, after: unknown): boolean {
  if (!isRecord(before) || !isRecord(after)) return false
  const { id: _, ...rest } = before
  return JSON.stringify(rest) === JSON.stringify(after)
}
