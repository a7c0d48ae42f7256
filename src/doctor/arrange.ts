import type { CallPart, Message, Part, ResultPart } from '../core/conversation.ts'
import { risingIndexes } from './longest-increasing-subsequence.ts'
import type { Passage } from './script.ts'

/** A record of the healed conversation. */
export type Line =
  | { readonly kind: 'kept'; readonly record: number }
  /** A record that holds other parts than before. Where it came apart, `copy` counts the records that it has become. */
  | { readonly kind: 'written'; readonly record: number; readonly parts: readonly Part[]; readonly copy: number }
  /** A record for a result that was made up. `record` is that of its call. */
  | { readonly kind: 'made'; readonly record: number; readonly call: CallPart; readonly result: ResultPart }

/**
 * What stands in the place of each record that does not simply stay: nothing, itself and others behind it, or others. What
 * comes in front of all records stands under -1. A record that is not named stays as it is.
 */
export type Places = ReadonlyMap<number, readonly Line[]>

/**
 * Where the records of a conversation go. Records that are no part of it, and all that need not move, stay where they
 * stand; of the rest, results move rather than words. `front` is the record in front of the first one.
 */
export function arrange(before: readonly Passage[], after: readonly Message[], front = -1): Places {
  const parts = partsOf(before)
  const units = unitsOf(after, parts)
  const anchors = anchorsOf(units)
  const places = new Map<number, Line[]>([[front, front < 0 ? [] : [{ kind: 'kept', record: front }]]])
  for (const record of parts.keys()) places.set(record, [])
  let place = places.get(front)
  for (const unit of units) {
    if (anchors.has(unit)) place = places.get(unit.line.record)
    place?.push(unit.line)
  }
  for (const [record, now] of places) if (staysAsItIs(now, record)) places.delete(record)
  return places
}

/** All records of the healed conversation in order, where there were `count`. */
export function* linesIn(places: Places, count: number): Generator<Line> {
  yield* places.get(-1) ?? []
  for (let record = 0; record < count; record++) {
    const lines = places.get(record)
    if (lines) yield* lines
    else yield { kind: 'kept', record }
  }
}

/** The records that are no longer there, or not with all of their parts. */
export function droppedIn(places: Places, before: readonly Passage[]): number[] {
  const parts = partsOf(before)
  const left = new Map<number, number>()
  for (const line of [...places.values()].flat()) {
    const count = line.kind === 'kept' ? (parts.get(line.record)?.length ?? 0) : 'parts' in line ? line.parts.length : 0
    if (line.kind !== 'made') left.set(line.record, (left.get(line.record) ?? 0) + count)
  }
  const isLess = (record: number): boolean => {
    const now = left.get(record)
    return now === undefined || now < (parts.get(record)?.length ?? 0)
  }
  return [...places.keys()].filter(record => record >= 0 && isLess(record)).sort((a, b) => a - b)
}

const staysAsItIs = (lines: readonly Line[], record: number): boolean =>
  record < 0 ? lines.length === 0 : lines.length === 1 && lines[0].kind === 'kept' && lines[0].record === record

/** The parts of each record, as they were read. */
function partsOf(passages: readonly Passage[]): Map<number, Part[]> {
  const parts = new Map<number, Part[]>()
  for (const { message, records } of passages) {
    for (const record of records) if (!parts.has(record)) parts.set(record, [])
    for (const part of message.parts) parts.get(part.slot as number)?.push(part)
  }
  return parts
}

/** A line, and whether it holds results alone, which move more easily than words. */
interface Unit {
  readonly line: Line
  readonly isResult: boolean
}

/** The healed messages as records. Parts of one record that still stand together are one line. */
function unitsOf(after: readonly Message[], before: ReadonlyMap<number, readonly Part[]>): Unit[] {
  const units: Unit[] = []
  let asked = new Map<string, CallPart>()
  let open: { readonly record: number; readonly parts: Part[] } | undefined
  const copies = new Map<number, number>()
  const close = (): void => {
    if (!open) return
    const { record, parts } = open
    const read = before.get(record) ?? []
    const isWhole = parts.length === read.length && parts.every((part, index) => part === read[index])
    const copy = copies.get(record) ?? 0
    copies.set(record, copy + 1)
    const line: Line = isWhole ? { kind: 'kept', record } : { kind: 'written', record, parts, copy }
    units.push({ line, isResult: parts.length > 0 && parts.every(({ kind }) => kind === 'result') })
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
    if (calls.length > 0) asked = new Map(calls.toReversed().map(call => [call.id, call]))
    if (parts.length === 0 && origin !== undefined) enter(origin)
    for (const part of parts) {
      if (part.slot !== undefined) enter(part.slot).push(part)
      else {
        close()
        const call = part.kind === 'result' ? asked.get(part.id) : undefined
        if (part.kind === 'result' && call)
          units.push({ line: { kind: 'made', record: call.slot as number, call, result: part }, isResult: true })
      }
    }
  }
  close()
  return units
}

/** The lines that stay where they stand: words that are in order, and the results that stand right between them. */
function anchorsOf(units: readonly Unit[]): Set<Unit> {
  const seen = new Set<number>()
  const standing = units.filter(({ line }) => line.kind !== 'made' && !seen.has(line.record) && seen.add(line.record))
  const words = standing.filter(({ isResult }) => !isResult)
  const anchors = new Set(risingIndexes(words.map(({ line }) => line.record)).map(index => words[index]))
  const next = new Map<Unit, number>()
  let ahead = Number.POSITIVE_INFINITY
  for (const unit of standing.toReversed()) {
    next.set(unit, ahead)
    if (anchors.has(unit)) ahead = unit.line.record
  }
  let last = -1
  for (const unit of standing) {
    const { record } = unit.line
    const isBetween = record > last && record < (next.get(unit) as number)
    if (!anchors.has(unit) && !(unit.isResult && isBetween)) continue
    anchors.add(unit)
    last = record
  }
  return anchors
}
