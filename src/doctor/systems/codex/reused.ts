import type { HistoryDefect } from './defect.ts'
import type { RolloutItems } from './items.ts'
import { type ItemPairing, numberAt } from './pair.ts'

/** Calls with the id of an earlier call: models that count their ids start over. */
export function* reusedIn(items: RolloutItems, { calls, answer }: ItemPairing): Generator<HistoryDefect> {
  const seen = new Set<number>()
  const again = calls.filter(call => seen.has(items.key(call)) || !seen.add(items.key(call)))
  const reused = again.filter(call => items.callId(call) !== '' && items.piece(call) >= 0)
  if (reused.length === 0) return
  const taken = new Set(Array.from({ length: items.length }, (_, at) => items.callId(at)))
  const numbers = new Map<string, number>()
  for (const call of reused) {
    const known = items.callId(call)
    let number = numbers.get(known) ?? 2
    while (taken.has(freshId(known, number))) number++
    const id = freshId(known, number)
    numbers.set(known, number + 1)
    taken.add(id)
    const result = numberAt(answer, call)
    const answers = result < 0 || items.piece(result) < 0 ? [] : [items.item(result)]
    yield { kind: 'reused', item: items.item(call), id, answers }
  }
}

/** An id with another ending and, if possible, the same length, so that nothing after it moves. */
function freshId(id: string, number: number): string {
  const end = number.toString(36)
  return /^[\w-]+$/.test(id) && end.length < id.length ? id.slice(0, -end.length) + end : `${id}_${end}`
}
