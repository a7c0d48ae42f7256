import { isUtf8 } from 'node:buffer'
import type { RawLine } from '../../files/raw-lines.ts'
import { markOf } from '../../files/source.ts'
import type { Interest } from './aside.ts'
import { type Fact, factOf } from './fact.ts'
import { type Header, headerOf } from './header.ts'
import { type History, Replay, replayAll } from './replay.ts'
import { type Piece, piecesOf } from './salvage.ts'

/** A piece that is no record. */
export interface Torn {
  readonly piece: number
  readonly line: number
  /**
   * - `text`: Codex passes over it.
   * - `bytes`: it is no text, and Codex gives up.
   * - `glued`: it shares its line with a record.
   * - `tail`: the next record would be written onto it.
   * - `front`: no record stands before it.
   */
  readonly kind: 'text' | 'bytes' | 'glued' | 'tail' | 'front' | 'mark'
}

/** What one pass over a rollout tells. */
export interface Scan {
  readonly header: Header | undefined
  readonly history: History
  readonly torn: readonly Torn[]
  /** The first piece with a number that does not follow, in a rollout whose records are numbered, and its right number. */
  readonly misnumbered: { readonly piece: number; readonly ordinal: number } | undefined
  /** The number of a record behind the last. */
  readonly nextOrdinal: number
  readonly firstRecord: number
  /** How many records have the form that Codex gives them today. */
  readonly knownRecords: number
  /** The records in which the user speaks. */
  readonly spoken: readonly number[]
  /** Records in which bytes are no text. */
  readonly saved: readonly number[]
  /** Records with another one behind them on their line. */
  readonly joined: readonly number[]
  /** Where pieces get ahead of lines: from a piece on, by so many. */
  readonly shifts: readonly { readonly piece: number; readonly by: number }[]
}

/** Reads a rollout of any size once, or twice if turns of it were rolled back. */
export function scan(lines: () => Iterable<RawLine>, inherited: () => Iterable<Fact>, interest: Interest): Scan {
  const replay = new Replay()
  for (const fact of inherited()) replay.push(fact)
  const first = pass(lines(), interest, fact => replay.push(fact))
  if (!replay.isLost) return { ...first, history: replay.history }
  const facts = [...inherited()]
  const second = pass(lines(), interest === 'all' ? 'all' : 'turns', fact => facts.push(fact))
  return { ...second, history: replayAll(facts) }
}

function pass(lines: Iterable<RawLine>, interest: Interest, take: (fact: Fact) => void): Omit<Scan, 'history'> {
  const torn: Torn[] = []
  const joined: number[] = []
  const saved: number[] = []
  const spoken: number[] = []
  const shifts: { piece: number; by: number }[] = []
  let header: Header | undefined
  let misnumbered: Scan['misnumbered']
  let [pieces, firstRecord, nextOrdinal, knownRecords] = [0, -1, -1, 0]
  let glued: Piece['kind'] | undefined
  for (const piece of piecesOf(lines, interest)) {
    const { kind, value, ordinal, isGlued } = piece
    const at = pieces++
    const front = glued
    glued = isGlued ? kind : undefined
    const by = at - piece.line
    if (by !== (shifts.at(-1)?.by ?? 0)) shifts.push({ piece: at, by })
    if (kind === 'torn') torn.push(tornAt(piece, at, front !== undefined, firstRecord < 0))
    if (kind !== 'record') continue
    if (front === 'record') joined.push(at - 1)
    if (piece.isSaved) saved.push(at)
    if (firstRecord < 0) firstRecord = at
    if (!value || typeof value.type === 'string') knownRecords++
    if (value) header ??= headerOf(value, at)
    if (header?.isPaginated) {
      if (nextOrdinal < 0) nextOrdinal = Number.isSafeInteger(ordinal) ? Number(ordinal) : header.firstOrdinal
      if (ordinal !== nextOrdinal) misnumbered ??= { piece: at, ordinal: nextOrdinal }
      nextOrdinal++
    }
    const fact = value && factOf(value, at)
    if (!fact) continue
    if (fact.kind === 'words' && fact.isBoundary && !fact.isWarning) spoken.push(at)
    take(fact)
  }
  return { header, torn, spoken, misnumbered, nextOrdinal, firstRecord, knownRecords, saved, joined, shifts }
}

function tornAt({ bytes, line, isGlued, ending }: Piece, piece: number, isBehind: boolean, isFirst: boolean): Torn {
  if (!isUtf8(bytes)) return { piece, line, kind: 'bytes' }
  if (isFirst && bytes.length > 0 && markOf(bytes) === bytes.length) return { piece, line, kind: 'mark' }
  if (isGlued || isBehind) return { piece, line, kind: 'glued' }
  if (ending === '') return { piece, line, kind: 'tail' }
  return { piece, line, kind: isFirst ? 'front' : 'text' }
}

/** The line that a piece stands on, from 0. */
export const lineOf = ({ shifts }: Pick<Scan, 'shifts'>, piece: number): number =>
  piece - (shifts.findLast(shift => shift.piece <= piece)?.by ?? 0)

/** What a rollout hands down to one that was forked from it: nothing of it can be written. */
export function* factsHandedDown(lines: Iterable<RawLine>): Generator<Fact> {
  for (const { value } of piecesOf(lines, 'turns')) {
    const fact = value && factOf(value, -1)
    if (fact) yield fact
  }
}
