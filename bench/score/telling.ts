import type { EntryCall, HistoryEntry } from '../../src/strict/judge/entry.ts'

/**
 * Whether anybody can tell, in a broken history, that a result is a call's. By the id they share: in its place, if no result of another
 * call with that id stands there too; elsewhere, if that place is not another such call's, no other such call lacks a
 * result, and no other such result is about; and in no case against the name of the tool. Without such an id by its place: directly after the step, where as many results
 * of unknown calls stand as calls are open.
 */
export function telling(
  entries: readonly HistoryEntry[],
  wordOf: (call: EntryCall) => string | undefined,
  homeOf: (result: HistoryEntry) => string | undefined,
): (result: HistoryEntry, call: string) => boolean {
  const callsOf = group(
    entries.flatMap(({ calls }) => calls),
    call => call.id || undefined,
  )
  const resultsOf = group(
    entries.filter(({ role }) => role === 'tool'),
    ({ answers }) => answers || undefined,
  )
  const { seats, seatOfCall } = seatsOf(entries)

  const toldById = (result: HistoryEntry, isOwn: (call: EntryCall) => boolean): boolean => {
    const namesakes = callsOf.get(result.answers ?? '') ?? []
    const named = namesakes.filter(call => call.name === nameIn(result))
    const isMisnamed = nameIn(result) !== undefined && !named.some(isOwn)
    if (isMisnamed && named.length > 0) return false
    const seat = seats.get(result)
    const rivals = seat?.results.filter(one => one.answers === result.answers) ?? []
    if (seat?.step.calls.some(isOwn)) return rivals.every(one => [undefined, homeOf(result)].includes(homeOf(one)))
    if (isMisnamed || seat?.step.calls.some(call => namesakes.includes(call))) return false
    const isOpen = (call: EntryCall) => !seatOfCall.get(call)?.results.some(one => one.answers === call.id)
    const isAway = (one: HistoryEntry) => !seats.get(one)?.step.calls.some(call => namesakes.includes(call))
    const away = resultsOf.get(result.answers ?? '')?.filter(isAway) ?? []
    return namesakes.filter(isOpen).length === 1 && away.every(one => [undefined, homeOf(result)].includes(homeOf(one)))
  }

  return (result, word) => {
    const isOwn = (call: EntryCall) => wordOf(call) === word
    if (callsOf.get(result.answers ?? '')?.some(isOwn)) return toldById(result, isOwn)
    const seat = seats.get(result)
    if (!seat?.step.calls.some(isOwn)) return false
    const name = nameIn(result)
    const open = openCalls(seat).filter(call => name === undefined || call.name === name)
    const strangers = new Set(
      seat.results
        .filter(one => !callsOf.has(one.answers ?? '') && [undefined, name].includes(nameIn(one)))
        .map(one => one.answers || one),
    )
    const isScattered = open.some(({ id }) => id && resultsOf.get(id)?.some(one => seats.get(one) !== seat))
    return open.some(isOwn) && open.length === strangers.size && !isScattered
  }
}

interface Seat {
  step: HistoryEntry
  /** All results directly after it. */
  results: HistoryEntry[]
}

function seatsOf(entries: readonly HistoryEntry[]): {
  seats: Map<HistoryEntry, Seat>
  seatOfCall: Map<EntryCall, Seat>
} {
  const seats = new Map<HistoryEntry, Seat>()
  const seatOfCall = new Map<EntryCall, Seat>()
  let seat: Seat | undefined
  for (const entry of entries) {
    if (entry.role !== 'tool') {
      seat = entry.calls.length > 0 ? { step: entry, results: [] } : undefined
      if (seat) for (const call of entry.calls) seatOfCall.set(call, seat)
    } else if (seat) {
      seat.results.push(entry)
      seats.set(entry, seat)
    }
  }
  return { seats, seatOfCall }
}

/** The calls of a step that no result after it has the id of. Of several with one id the first are answered, or those that the results name. */
function openCalls({ step, results }: Seat): EntryCall[] {
  const open = new Set(step.calls)
  for (const result of results.filter(({ answers }) => answers)) {
    const left = [...open].filter(call => call.id === result.answers)
    const answered = left.find(call => call.name === nameIn(result)) ?? left[0]
    if (answered) open.delete(answered)
  }
  return [...open]
}

function group<T>(values: readonly T[], keyOf: (value: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const key = keyOf(value)
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), value])
  }
  return groups
}

/** The name of the tool that a result says it is of: its part says it, and the entry's place leads there; or the message does. */
export function nameIn({ raw, at }: HistoryEntry): string | undefined {
  const place = /\.(parts|content)\[(\d+)\]$/.exec(at)
  const list: unknown = place ? raw[place[1] ?? ''] : undefined
  const part: unknown = Array.isArray(list) ? list[Number(place?.[2])] : raw
  if (typeof part !== 'object' || part === null) return undefined
  const response: unknown = Reflect.get(part, 'functionResponse') ?? Reflect.get(part, 'function_response') ?? part
  if (typeof response !== 'object' || response === null) return undefined
  const name: unknown = Reflect.get(response, 'toolName') ?? Reflect.get(response, 'name')
  return typeof name === 'string' && name !== '' ? name : undefined
}
