import type { CallPart, Message, Part, ResultPart } from '../core/conversation.ts'
import { longestIncreasingSubsequence } from '../core/longest-increasing-subsequence.ts'
import type { MessageRecords } from './record-format.ts'

/** A record of the repaired conversation. */
export type ArrangedRecord =
  | { readonly kind: 'kept'; readonly record: number }
  /** A record that holds other parts than before. If a record was split, `copy` counts the records it became. */
  | { readonly kind: 'written'; readonly record: number; readonly parts: readonly Part[]; readonly copy: number }
  /** A new record for a placeholder result. `record` is the record of its call. */
  | { readonly kind: 'made'; readonly record: number; readonly call: CallPart; readonly result: ResultPart }

/**
 * For each record that changes, the records that are written in its place: none, itself followed by others, or others.
 * Those that come before the first record have the key -1. A record that is not listed stays as it is.
 */
export type Arrangement = ReadonlyMap<number, readonly ArrangedRecord[]>

/**
 * Decides where the records of a conversation go. Records that do not belong to it, and all that need not move, stay in
 * place; of the rest, results move rather than text. `front` is the record before the first one.
 */
export function arrange(before: readonly MessageRecords[], after: readonly Message[], front = -1): Arrangement {
  const parts = partsOf(before)
  const units = unitsOf(after, parts)
  const anchors = anchorsOf(units)
  const places = new Map<number, ArrangedRecord[]>([[front, front < 0 ? [] : [{ kind: 'kept', record: front }]]])
  for (const record of parts.keys()) places.set(record, [])
  let place = places.get(front)
  for (const unit of units) {
    if (anchors.has(unit)) place = places.get(unit.arranged.record)
    place?.push(unit.arranged)
  }
  for (const [record, now] of places) if (staysAsItIs(now, record)) places.delete(record)
  return places
}

/** All records of the repaired conversation in order. `count` is the number of records before the repair. */
export function* recordsIn(places: Arrangement, count: number): Generator<ArrangedRecord> {
  yield* places.get(-1) ?? []
  for (let record = 0; record < count; record++) {
    const written = places.get(record)
    if (written) yield* written
    else yield { kind: 'kept', record }
  }
}

/** The records that are removed, or that lose some of their parts. */
export function droppedIn(places: Arrangement, before: readonly MessageRecords[]): number[] {
  const parts = partsOf(before)
  const left = new Map<number, number>()
  for (const arranged of [...places.values()].flat()) {
    const count =
      arranged.kind === 'kept'
        ? (parts.get(arranged.record)?.length ?? 0)
        : 'parts' in arranged
          ? arranged.parts.length
          : 0
    if (arranged.kind !== 'made') left.set(arranged.record, (left.get(arranged.record) ?? 0) + count)
  }
  const isLess = (record: number): boolean => {
    const now = left.get(record)
    return now === undefined || now < (parts.get(record)?.length ?? 0)
  }
  return [...places.keys()].filter(record => record >= 0 && isLess(record)).sort((a, b) => a - b)
}

const staysAsItIs = ([first, ...more]: readonly ArrangedRecord[], record: number): boolean =>
  record < 0 ? !first : first?.kind === 'kept' && first.record === record && more.length === 0

/** The parts of each record, as they were read. */
function partsOf(messageRecords: readonly MessageRecords[]): Map<number, Part[]> {
  const parts = new Map<number, Part[]>()
  for (const { message, records } of messageRecords) {
    for (const record of records) if (!parts.has(record)) parts.set(record, [])
    for (const part of message.parts) parts.get(part.slot as number)?.push(part)
  }
  return parts
}

/** A record, and whether it holds only results, which move more easily than text. */
interface Unit {
  readonly arranged: ArrangedRecord
  readonly isResult: boolean
}

/** The repaired messages as records. Adjacent parts of one record are one record again. */
function unitsOf(after: readonly Message[], before: ReadonlyMap<number, readonly Part[]>): Unit[] {
  const units: Unit[] = []
  let callsById = new Map<string, CallPart>()
  let open: { readonly record: number; readonly parts: Part[] } | undefined
  const copies = new Map<number, number>()
  const close = (): void => {
    if (!open) return
    const { record, parts } = open
    const read = before.get(record) ?? []
    const isWhole = parts.length === read.length && parts.every((part, index) => part === read[index])
    const copy = copies.get(record) ?? 0
    copies.set(record, copy + 1)
    const arranged: ArrangedRecord = isWhole ? { kind: 'kept', record } : { kind: 'written', record, parts, copy }
    units.push({ arranged, isResult: parts.length > 0 && parts.every(({ kind }) => kind === 'result') })
    open = undefined
  }
  const enter = (record: number): Part[] => {
    if (open?.record !== record) {
      close()
      open = { record, parts: [] }
    }
    return open.parts
  }
  for (const { parts, origin } of after) {
    const calls = parts.filter(part => part.kind === 'call')
    if (calls.length > 0) callsById = new Map(calls.toReversed().map(call => [call.id, call]))
    if (parts.length === 0 && origin !== undefined) enter(origin)
    for (const part of parts) {
      if (part.slot !== undefined) enter(part.slot).push(part)
      else {
        close()
        const call = part.kind === 'result' ? callsById.get(part.id) : undefined
        if (part.kind === 'result' && call)
          units.push({ arranged: { kind: 'made', record: call.slot as number, call, result: part }, isResult: true })
      }
    }
  }
  close()
  return units
}

/** The records that stay in place: text that is in order, and the results that are already between the right texts. */
function anchorsOf(units: readonly Unit[]): Set<Unit> {
  const seen = new Set<number>()
  const firstCopies = units.filter(
    ({ arranged }) => arranged.kind !== 'made' && !seen.has(arranged.record) && seen.add(arranged.record),
  )
  const texts = firstCopies.filter(({ isResult }) => !isResult)
  const anchors = new Set(longestIncreasingSubsequence(texts, ({ arranged }) => arranged.record))
  const next = new Map<Unit, number>()
  let nextAnchor = Number.POSITIVE_INFINITY
  for (const unit of firstCopies.toReversed()) {
    next.set(unit, nextAnchor)
    if (anchors.has(unit)) nextAnchor = unit.arranged.record
  }
  let last = -1
  for (const unit of firstCopies) {
    const { record } = unit.arranged
    const isBetween = record > last && record < (next.get(unit) as number)
    if (!anchors.has(unit) && !(unit.isResult && isBetween)) continue
    anchors.add(unit)
    last = record
  }
  return anchors
}
