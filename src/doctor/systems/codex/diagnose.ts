import type { CallCounts } from '../../../heal/count.ts'
import type { Finding } from './finding.ts'
import type { Item } from './item.ts'
import type { Items } from './items.ts'
import { type Pairing, pair } from './pair.ts'
import type { History } from './replay.ts'
import { reusedIn } from './reused.ts'
import { seatsOf } from './seats.ts'

export interface Diagnosis {
  readonly findings: readonly Finding[]
  readonly counts: CallCounts
}

/** The place of an item that has the id of an earlier one, that one's place, and whether both say the same. */
export interface Repeat {
  readonly at: number
  readonly first: number
  readonly isSame: boolean
}

/**
 * What is wrong with a history. Results move only where records may: else it is enough that they are there, for Codex
 * pairs them by their ids.
 */
export function diagnose({ items, isPartial }: History, repeats: readonly Repeat[], mayMove: boolean): Diagnosis {
  const { repeated, pairing } = withoutCopies(items, repeats)
  const { calls, answer, spare } = pairing
  const orphans = isPartial ? [] : pairing.orphans
  const unanswered = calls.filter(call => answer[call] < 0)
  const late = mayMove ? calls.filter(call => isMisplaced(items, call, pairing)) : []
  const gone = new Set([...repeated, ...orphans, ...[...spare.values()].flat(), ...late.map(call => answer[call])])
  const seats = seatsOf(items, new Set(mayMove ? [...unanswered, ...late] : []), answer, gone)
  const item = (at: number): Item => items.item(at)
  const findings: Finding[] = [
    ...repeats.flatMap(({ at, isSame }): Finding[] =>
      isSame && !repeated.has(at) ? [] : [{ kind: isSame ? 'repeated' : 'taken-id', item: item(at) }],
    ),
    ...namesFor(items, pairing),
    ...reusedIn(items, pairing),
    ...orphans.map((at): Finding => ({ kind: 'orphan', item: item(at) })),
    ...[...spare].flatMap(([call, others]) =>
      others.map((at): Finding => ({ kind: 'duplicate', item: item(at), call: item(call) })),
    ),
    ...[...pairing.mismatched].map(
      (call): Finding => ({ kind: 'mismatched', item: item(answer[call]), call: item(call) }),
    ),
    ...late.map((call): Finding => {
      return { kind: 'misplaced', item: item(answer[call]), call: item(call), seat: item(seats.get(call) as number) }
    }),
    ...unanswered.map((call): Finding => {
      const seat = seats.get(call)
      return { kind: 'unanswered', item: item(call), ...(seat === undefined ? {} : { seat: item(seat) }) }
    }),
    ...loners(items, gone, seats).map((at): Finding => ({ kind: 'lone', item: item(at) })),
  ]
  const counts = { ...countsOf(items), orphans: orphans.length, unanswered: unanswered.length }
  return { findings: findings.toSorted((a, b) => order(a.item, b.item)), counts }
}

/**
 * Which items were written twice, and what answers what without them. Where only the id of a call speaks for that, a call
 * in a later turn or with a result of its own is another one.
 */
function withoutCopies(items: Items, repeats: readonly Repeat[]): { repeated: Set<number>; pairing: Pairing } {
  const same = repeats.filter(({ isSame }) => isSame)
  const repeated = new Set(same.filter(({ at }) => items.hash(at) !== 0).map(({ at }) => at))
  const pairing = pair(items, repeated)
  const { answer, turns } = pairing
  const copies = same.filter(({ at, first }) => !repeated.has(at) && answer[at] < 0 && turns[at] === turns[first])
  if (copies.length === 0) return { repeated, pairing }
  for (const { at } of copies) repeated.add(at)
  return { repeated, pairing: pair(items, repeated) }
}

const order = (a: Item, b: Item): number => a.piece - b.piece || a.inner - b.inner

function countsOf(items: Items): { calls: number; results: number } {
  let [calls, results] = [0, 0]
  for (let at = 0; at < items.length; at++) {
    if (items.isCall(at)) calls++
    else if (items.isResult(at)) results++
  }
  return { calls, results }
}

/** The user spoke between a call and its result, or the result came first. What stands elsewhere stays there. */
function isMisplaced(items: Items, call: number, { answer, turns }: Pairing): boolean {
  const result = answer[call]
  if (result < 0 || (result > call && turns[result] === turns[call])) return false
  if (items.piece(call) < 0 || items.piece(result) < 0) return false
  const [one, other] = [items.inner(call), items.inner(result)]
  return one < 0 ? other < 0 : other >= 0 && items.piece(call) === items.piece(result)
}

/** Ids for calls that have none: that of their item, under which Codex ran them, or one that tells their place. */
function* namesFor(items: Items, { calls, answer, spare }: Pairing): Generator<Finding> {
  const nameless = calls.filter(call => items.callId(call) === '' && items.piece(call) >= 0)
  const taken = new Set(nameless.length === 0 ? [] : calls.map(items.callId))
  for (const call of nameless) {
    const item = items.item(call)
    let id = item.itemId !== undefined && item.itemId.length <= idMax ? item.itemId : placeId(item)
    for (let number = 2; taken.has(id); number++) id = `${placeId(item)}_${number}`
    taken.add(id)
    const answers = answer[call] < 0 ? [] : [items.item(answer[call])]
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

/** What the provider takes for an id of a call. */
const idMax = 64

const placeId = ({ piece, inner }: Item): string => `call_line_${piece + 1}${inner < 0 ? '' : `_${inner}`}`

/** Reasoning that has an id and is followed by nothing of the model, once all else is mended. */
function loners(items: Items, gone: ReadonlySet<number>, seats: ReadonlyMap<number, number>): number[] {
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
