import type { Part } from '../../../core/conversation.ts'
import type { ArrangedRecord } from '../../arrange.ts'
import type { JudgedRanges } from '../../examine-lines.ts'
import type { CallFamily, RolloutItem } from './item.ts'
import { madeItem, recordFor, removeMember, resultTypes, retire, setMember } from './item-text.ts'
import { itemText, type PieceBytes, recordTime } from './piece-bytes.ts'
import { append, RolloutPlan } from './plan.ts'
import { storedId } from './record-format.ts'
import type { RolloutScan, TornPiece } from './scan.ts'

type Judged = Pick<JudgedRanges, 'places' | 'dropped'>

/** The planned edits. */
export interface PlannedEdits {
  readonly plan: RolloutPlan
  /** The records that stay where they are, although they were judged to move. */
  readonly unmoved: ReadonlySet<number>
  /** The records that stay as they are, although they were judged to be removed or answered. */
  readonly left: ReadonlySet<number>
}

/** Torn records that have to be removed. */
export const tornToRemove = (torn: readonly TornPiece[]): TornPiece[] => torn.filter(({ kind }) => kind !== 'text')

/** The pieces whose text is needed to repair or report what was judged. */
export function neededFor({ history: { items } }: RolloutScan, { places, dropped }: Judged): number[] {
  const lines = [...places.values()].flat().filter(({ kind }) => kind !== 'kept')
  return [...lines, ...dropped].map(({ record }) => items.piece(record))
}

/** If records may move: results are moved after their calls, and extra ones are removed. */
export function planEdits(scan: RolloutScan, { places, dropped }: Judged, pieceBytes: PieceBytes): PlannedEdits {
  const plan = new RolloutPlan()
  const unmoved = new Set<number>()
  const { header } = scan
  const { items } = scan.history
  for (const { piece } of tornToRemove(scan.torn)) plan.drops.add(piece)
  if (header && header.piece !== scan.firstRecord) plan.insert(-1, { piece: header.piece })
  for (const { record } of dropped) drop(plan, items.item(record))
  for (const [place, lines] of places) {
    for (const line of lines) {
      const item = items.item(line.record)
      const target = place < 0 ? undefined : items.item(place)
      if (line.kind === 'written') edit(plan, item, line.parts, false)
      if (line.kind === 'made') answer(plan, item, target, made(line), timeOf(item, scan, pieceBytes))
      else if (line.record !== place && target && areInSameList(item, target)) move(plan, item, target)
      else if (line.record !== place) unmoved.add(line.record)
    }
  }
  return { plan, unmoved, left: new Set() }
}

/** If nothing may move: results are added at the end, and extra ones are overwritten in place. */
export function planEditsInPlace(scan: RolloutScan, { places, dropped }: Judged, pieceBytes: PieceBytes): PlannedEdits {
  const plan = new RolloutPlan()
  const left = new Set<number>()
  const { items } = scan.history
  plan.renumber = scan.misnumbered
  for (const { piece, kind } of tornToRemove(scan.torn)) (kind === 'tail' ? plan.drops : plan.blanks).add(piece)
  for (const { record, rule } of dropped) {
    // Codex itself leaves out a result without a call.
    if (rule === 'orphan-result') left.add(record)
    else plan.edit(items.item(record), retire)
  }
  const lines = [...places.values()].flat()
  const unmoved = new Set(
    [...places].flatMap(([place, now]) => now.flatMap(({ record }) => (record === place ? [] : [record]))),
  )
  const named = new Map(lines.flatMap(line => (line.kind === 'written' ? callIn(line, items.item(line.record)) : [])))
  for (const line of lines) {
    const item = items.item(line.record)
    if (line.kind === 'made') {
      if (line.call.id === '') left.add(line.record)
      else plan.tail.push(recordFor(timeOf(item, scan, pieceBytes), made(line)))
    } else if (line.kind === 'written') {
      const [part] = line.parts
      const id = part?.kind === 'result' ? storedId(part.id) : ''
      if (part?.kind !== 'result' || (part.callKind === item.family && id.length === item.callId?.length))
        edit(plan, item, line.parts, true)
      else {
        const type = resultTypes[part.callKind as CallFamily]
        const copy = setMember('call_id', id)(setMember('type', type)(itemText(item, pieceBytes)))
        plan.tail.push(recordFor(timeOf(named.get(id) ?? item, scan, pieceBytes), copy))
      }
    }
  }
  return { plan, unmoved, left }
}

const callIn = ({ parts: [part] }: { readonly parts: readonly Part[] }, item: RolloutItem): [string, RolloutItem][] =>
  part?.kind === 'call' ? [[storedId(part.id), item]] : []

/** The item for a call without a result. */
const made = ({ call }: ArrangedRecord & { readonly kind: 'made' }): string =>
  madeItem(call.callKind as CallFamily, storedId(call.id))

/** What an item says now instead of what it said. */
function edit(plan: RolloutPlan, item: RolloutItem, [part]: readonly Part[], keepsLength: boolean): void {
  if (part?.kind === 'call' || part?.kind === 'result') {
    const id = storedId(part.id)
    if (id !== item.callId) plan.edit(item, setMember('call_id', id))
    if (part.callKind !== item.family) plan.edit(item, setMember('type', resultTypes[part.callKind as CallFamily]))
  }
  if (part?.itemId === undefined && item.itemHash !== 0) plan.edit(item, removeMember('id', keepsLength))
}

/** Whether both are separate records, or in the same compaction. An item of another rollout is in no list with another item. */
function areInSameList(one: RolloutItem, other: RolloutItem): boolean {
  if (one.piece < 0 || other.piece < 0) return false
  return one.inner < 0 ? other.inner < 0 : other.inner >= 0 && one.piece === other.piece
}

export function drop(plan: RolloutPlan, { piece, inner }: RolloutItem): void {
  if (inner < 0) plan.drops.add(piece)
  else plan.list(piece).drops.add(inner)
}

function move(plan: RolloutPlan, { piece, inner }: RolloutItem, target: RolloutItem): void {
  if (inner < 0) plan.insert(target.piece, { piece })
  else {
    const list = plan.list(piece)
    list.drops.add(inner)
    append(list.after, target.inner, inner)
  }
}

function answer(
  plan: RolloutPlan,
  call: RolloutItem,
  target: RolloutItem | undefined,
  item: string,
  time: string,
): void {
  if (!target || target.piece < 0 || call.piece < 0) plan.tail.push(recordFor(time, item))
  else if (target.inner < 0) plan.insert(target.piece, { text: recordFor(time, item) })
  else append(plan.list(target.piece).after, target.inner, item)
}

/** When a record was written; for one in another rollout, when this rollout was. */
const timeOf = ({ piece }: RolloutItem, { header }: RolloutScan, pieceBytes: PieceBytes): string =>
  recordTime(piece, pieceBytes) ?? header?.timestamp ?? ''
