import type { HistoryDefect } from './defect.ts'
import type { RolloutItem } from './item.ts'
import { madeItem, recordFor, removeMember, resultTypes, retire, setMember } from './item-text.ts'
import { itemText, type PieceBytes, recordTime } from './piece-bytes.ts'
import { append, RolloutPlan } from './plan.ts'
import type { RolloutScan, TornPiece } from './scan.ts'

/** The planned edits for the defects, and the defects that cannot be repaired. */
export interface PlannedEdits {
  readonly plan: RolloutPlan
  readonly repaired: readonly HistoryDefect[]
  /** They remain: Codex cannot continue, or only by its own repair. */
  readonly left: readonly HistoryDefect[]
}

/** Torn records that have to be removed. */
export const harmful = (torn: readonly TornPiece[]): TornPiece[] => torn.filter(({ kind }) => kind !== 'text')

/** If records may move: results are moved after their calls, and extra ones are removed. */
export function planEdits(scan: RolloutScan, defects: readonly HistoryDefect[], taken: PieceBytes): PlannedEdits {
  const plan = new RolloutPlan()
  const names = namesIn(defects)
  const { header } = scan
  for (const { piece } of harmful(scan.torn)) plan.drops.add(piece)
  if (header && header.piece !== scan.firstRecord) plan.insert(-1, { piece: header.piece })
  const [repaired, left] = parted(defects, isOwn)
  for (const defect of repaired) {
    const { item } = defect
    if (defect.kind === 'taken-id' || defect.kind === 'lone') plan.edit(item, removeMember('id', false))
    else if (defect.kind === 'nameless') {
      for (const one of [item, ...defect.results]) plan.edit(one, setMember('call_id', defect.id))
    } else if (defect.kind === 'reused') rename(plan, defect)
    else if (defect.kind === 'mismatched') {
      plan.edit(item, setMember('type', resultTypes[defect.call.family as keyof typeof resultTypes]))
    } else if (defect.kind !== 'unanswered' && defect.kind !== 'misplaced') drop(plan, item)
  }
  for (const defect of seated(repaired)) {
    const { item, seat } = defect
    if (defect.kind === 'misplaced') move(plan, item, defect.seat)
    else
      answer(plan, item, seat, madeItem(item.family ?? 'function', names.get(item) ?? item.callId ?? ''), scan, taken)
  }
  return { plan, repaired: repaired, left }
}

/** If nothing may move: results are added at the end, and extra ones are overwritten in place. */
export function planEditsInPlace(
  scan: RolloutScan,
  defects: readonly HistoryDefect[],
  taken: PieceBytes,
): PlannedEdits {
  const plan = new RolloutPlan()
  plan.renumber = scan.misnumbered
  for (const { piece, kind } of harmful(scan.torn)) (kind === 'tail' ? plan.drops : plan.blanks).add(piece)
  const names = shortNames(defects, scan, taken)
  const [repaired, left] = parted(
    defects,
    defect => isOwn(defect) && defect.kind !== 'orphan' && isNamed(defect, names),
  )
  const copy = (result: RolloutItem, call: RolloutItem, id: string): string => {
    const type = resultTypes[call.family ?? 'function']
    const text = itemText(result, taken)
    return setMember('call_id', id)(setMember('type', type)(text))
  }
  for (const defect of repaired) {
    const { item } = defect
    const id = names.get(item) ?? item.callId ?? ''
    if (defect.kind === 'repeated' || defect.kind === 'duplicate') plan.edit(item, retire)
    else if (defect.kind === 'taken-id' || defect.kind === 'lone') plan.edit(item, removeMember('id', true))
    else if (defect.kind === 'nameless') {
      plan.edit(item, setMember('call_id', id))
      const [result] = defect.answers.filter(({ piece }) => piece >= 0)
      if (result) plan.tail.push(recordFor(timeOf(item, scan, taken), copy(result, item, id)))
    } else if (defect.kind === 'reused') rename(plan, defect)
    else if (defect.kind === 'mismatched') {
      const text = copy(item, defect.call, names.get(defect.call) ?? defect.call.callId ?? '')
      plan.tail.push(recordFor(timeOf(item, scan, taken), text))
    } else if (defect.kind === 'unanswered') {
      plan.tail.push(recordFor(timeOf(item, scan, taken), madeItem(item.family ?? 'function', id)))
    }
  }
  const named = repaired.map(defect =>
    defect.kind === 'nameless' ? { ...defect, id: names.get(defect.item) ?? defect.id } : defect,
  )
  return { plan, repaired: named, left }
}

function rename(plan: RolloutPlan, { item, answers, id }: Extract<HistoryDefect, { kind: 'reused' }>): void {
  for (const one of [item, ...answers]) plan.edit(one, setMember('call_id', id))
}

/** The pieces whose text is needed to repair or report the defects. */
export const neededFor = (defects: readonly HistoryDefect[]): number[] =>
  defects.flatMap(defect => {
    const others = defect.kind === 'nameless' || defect.kind === 'reused' ? defect.answers : []
    return [defect.item, ...others].map(({ piece }) => piece)
  })

/**
 * An unanswered call may be in another rollout: its result is written here. Everything else is repaired where it is.
 */
const isOwn = ({ kind, item }: HistoryDefect): boolean => kind === 'unanswered' || item.piece >= 0

const namesIn = (defects: readonly HistoryDefect[]): Map<RolloutItem, string> =>
  new Map(
    defects.flatMap(defect =>
      defect.kind === 'nameless' || defect.kind === 'reused' ? [[defect.item, defect.id] as const] : [],
    ),
  )

/** Ids as long as the text that they replace. */
function shortNames(defects: readonly HistoryDefect[], scan: RolloutScan, taken: PieceBytes): Map<RolloutItem, string> {
  const names = namesIn(defects.filter(({ kind }) => kind === 'reused'))
  const { items } = scan.history
  const used = new Set(Array.from({ length: items.length }, (_, at) => items.callId(at)))
  let number = 0
  for (const { kind, item } of defects) {
    if (kind !== 'nameless' || !hasNull(itemText(item, taken))) continue
    let id = ''
    do id = `${letters[Math.floor(number / letters.length)] ?? ''}${letters[number++ % letters.length]}`
    while (used.has(id))
    if (id.length === 2) names.set(item, id)
  }
  return names
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

const hasNull = (item: string): boolean => setMember('call_id', 'aa')(item).length === item.length

const isNamed = (defect: HistoryDefect, names: ReadonlyMap<RolloutItem, string>): boolean => {
  const { kind, item } = defect
  if (kind === 'reused') return defect.id.length === item.callId?.length
  return (kind !== 'nameless' && (kind !== 'unanswered' || item.callId !== '')) || names.has(item)
}

function parted(
  defects: readonly HistoryDefect[],
  test: (defect: HistoryDefect) => boolean,
): [HistoryDefect[], HistoryDefect[]] {
  return [defects.filter(test), defects.filter(defect => !test(defect))]
}

/** The results to insert, in the order of the calls. */
function seated(defects: readonly HistoryDefect[]): Extract<HistoryDefect, { kind: 'unanswered' | 'misplaced' }>[] {
  const coming = defects.filter(defect => defect.kind === 'unanswered' || defect.kind === 'misplaced')
  const callOf = (defect: (typeof coming)[number]): RolloutItem =>
    defect.kind === 'misplaced' ? defect.call : defect.item
  return coming.toSorted((a, b) => callOf(a).piece - callOf(b).piece || callOf(a).inner - callOf(b).inner)
}

export function drop(plan: RolloutPlan, { piece, inner }: RolloutItem): void {
  if (inner < 0) plan.drops.add(piece)
  else plan.list(piece).drops.add(inner)
}

function move(plan: RolloutPlan, { piece, inner }: RolloutItem, seat: RolloutItem): void {
  if (inner < 0) plan.insert(seat.piece, { piece })
  else {
    const list = plan.list(piece)
    list.drops.add(inner)
    append(list.after, seat.inner, inner)
  }
}

function answer(
  plan: RolloutPlan,
  call: RolloutItem,
  seat: RolloutItem | undefined,
  made: string,
  scan: RolloutScan,
  taken: PieceBytes,
): void {
  if (!seat || seat.piece < 0) plan.tail.push(recordFor(timeOf(call, scan, taken), made))
  else if (seat.inner < 0) plan.insert(seat.piece, { text: recordFor(timeOf(call, scan, taken), made) })
  else append(plan.list(seat.piece).after, seat.inner, made)
}

/** When a record was written; for one in another rollout, when this rollout was. */
const timeOf = ({ piece }: RolloutItem, { header }: RolloutScan, taken: PieceBytes): string =>
  recordTime(piece, taken) ?? header?.timestamp ?? ''
