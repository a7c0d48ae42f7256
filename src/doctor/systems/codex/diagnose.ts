import type { CallCounts } from '../../../heal/count.ts'
import type { HistoryDefect } from './defect.ts'
import type { RolloutItem } from './item.ts'
import type { RolloutItems } from './items.ts'
import { type ItemPairing, numberAt, pairItems } from './pair.ts'
import type { RolloutHistory } from './replay.ts'
import { resultPlaces } from './result-places.ts'
import { reusedIn } from './reused.ts'

export interface RolloutDiagnosis {
  readonly defects: readonly HistoryDefect[]
  readonly counts: CallCounts
}

/** The index of an item with the id of an earlier one, the index of that one, and whether both are equal. */
export interface Repeat {
  readonly at: number
  readonly first: number
  readonly isSame: boolean
}

/**
 * What is wrong with a history. Results move only where records may: otherwise it is enough that they exist, because
 * Codex pairs them by id.
 */
export function diagnoseRollout(
  { items, isPartial }: RolloutHistory,
  repeats: readonly Repeat[],
  mayMove: boolean,
): RolloutDiagnosis {
  const { repeated, pairing } = withoutCopies(items, repeats)
  const { calls, answer, spare } = pairing
  const answerOf = (call: number): number => numberAt(answer, call)
  const orphans = isPartial ? [] : pairing.orphans
  const unanswered = calls.filter(call => answerOf(call) < 0)
  const late = mayMove ? calls.filter(call => isMisplaced(items, call, pairing)) : []
  const gone = new Set([...repeated, ...orphans, ...[...spare.values()].flat(), ...late.map(answerOf)])
  const seats = resultPlaces(items, new Set(mayMove ? [...unanswered, ...late] : []), answer, gone)
  const item = (at: number): RolloutItem => items.item(at)
  const defects: HistoryDefect[] = [
    ...repeats.flatMap(({ at, isSame }): HistoryDefect[] =>
      isSame && !repeated.has(at) ? [] : [{ kind: isSame ? 'repeated' : 'taken-id', item: item(at) }],
    ),
    ...namesFor(items, pairing),
    ...reusedIn(items, pairing),
    ...orphans.map((at): HistoryDefect => ({ kind: 'orphan', item: item(at) })),
    ...[...spare].flatMap(([call, others]) =>
      others.map((at): HistoryDefect => ({ kind: 'duplicate', item: item(at), call: item(call) })),
    ),
    ...[...pairing.mismatched].map(
      (call): HistoryDefect => ({ kind: 'mismatched', item: item(answerOf(call)), call: item(call) }),
    ),
    ...late.map((call): HistoryDefect => {
      return { kind: 'misplaced', item: item(answerOf(call)), call: item(call), seat: item(seats.get(call) as number) }
    }),
    ...unanswered.map((call): HistoryDefect => {
      const seat = seats.get(call)
      return { kind: 'unanswered', item: item(call), ...(seat === undefined ? {} : { seat: item(seat) }) }
    }),
    ...loners(items, gone, seats).map((at): HistoryDefect => ({ kind: 'lone', item: item(at) })),
  ]
  const counts = { ...countsOf(items), orphans: orphans.length, unanswered: unanswered.length }
  return { defects: defects.toSorted((a, b) => order(a.item, b.item)), counts }
}

/**
 * The items that were written twice, and the pairing without them. If only the call id indicates that, a call in a
 * later turn or with its own result is a different one.
 */
function withoutCopies(
  items: RolloutItems,
  repeats: readonly Repeat[],
): { repeated: Set<number>; pairing: ItemPairing } {
  const same = repeats.filter(({ isSame }) => isSame)
  const repeated = new Set(same.filter(({ at }) => items.hash(at) !== 0).map(({ at }) => at))
  const pairing = pairItems(items, repeated)
  const { answer, turns } = pairing
  const copies = same.filter(
    ({ at, first }) => !repeated.has(at) && numberAt(answer, at) < 0 && turns[at] === turns[first],
  )
  if (copies.length === 0) return { repeated, pairing }
  for (const { at } of copies) repeated.add(at)
  return { repeated, pairing: pairItems(items, repeated) }
}

const order = (a: RolloutItem, b: RolloutItem): number => a.piece - b.piece || a.inner - b.inner

function countsOf(items: RolloutItems): { calls: number; results: number } {
  let [calls, results] = [0, 0]
  for (let at = 0; at < items.length; at++) {
    if (items.isCall(at)) calls++
    else if (items.isResult(at)) results++
  }
  return { calls, results }
}

/** A user message is between a call and its result, or the result comes first. Items of other rollouts stay. */
function isMisplaced(items: RolloutItems, call: number, { answer, turns }: ItemPairing): boolean {
  const result = numberAt(answer, call)
  if (result < 0 || (result > call && turns[result] === turns[call])) return false
  if (items.piece(call) < 0 || items.piece(result) < 0) return false
  const [one, other] = [items.inner(call), items.inner(result)]
  return one < 0 ? other < 0 : other >= 0 && items.piece(call) === items.piece(result)
}

/** Ids for calls that have none: the id of their item, under which Codex ran them, or one made from their place. */
function* namesFor(items: RolloutItems, { calls, answer, spare }: ItemPairing): Generator<HistoryDefect> {
  const nameless = calls.filter(call => items.callId(call) === '' && items.piece(call) >= 0)
  const taken = new Set(nameless.length === 0 ? [] : calls.map(items.callId))
  for (const call of nameless) {
    const item = items.item(call)
    let id = item.itemId !== undefined && item.itemId.length <= idMax ? item.itemId : placeId(item)
    for (let number = 2; taken.has(id); number++) id = `${placeId(item)}_${number}`
    taken.add(id)
    const result = numberAt(answer, call)
    const answers = result < 0 ? [] : [items.item(result)]
    const others = (spare.get(call) ?? []).map(at => items.item(at))
    yield {
      kind: 'nameless',
      item,
      id,
      results: [...answers, ...others].filter(({ callId }) => callId !== id),
      answers,
    }
  }
}

/** The longest call id that the provider accepts. */
const idMax = 64

const placeId = ({ piece, inner }: RolloutItem): string => `call_line_${piece + 1}${inner < 0 ? '' : `_${inner}`}`

/** Reasoning with an id that no output of the model follows, once everything else is repaired. */
function loners(items: RolloutItems, gone: ReadonlySet<number>, seats: ReadonlyMap<number, number>): number[] {
  const found: number[] = []
  const filled = new Set(seats.values())
  let last = -1
  const follow = (isOfModel: boolean): void => {
    if (last >= 0 && !isOfModel) found.push(last)
    last = -1
  }
  for (let at = 0; at < items.length; at++) {
    if (gone.has(at)) continue
    follow(items.isOfModel(at))
    if (items.isReasoning(at) && items.hash(at) !== 0 && items.piece(at) >= 0) last = at
    if (filled.has(at)) follow(false)
  }
  follow(false)
  return found
}
