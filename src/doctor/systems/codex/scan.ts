import { isUtf8 } from 'node:buffer'
import { countWhile } from '../../../journal/branches/thread-item.ts'
import type { RawLine } from '../../files/raw-lines.ts'
import { byteOrderMarkLength } from '../../files/source.ts'
import { type RolloutHeader, rolloutHeaderOf } from './header.ts'
import { type HistoryChange, historyChangeOf } from './history-change.ts'
import { type RolloutPiece, rolloutPieces } from './recover-records.ts'
import { Replay, type RolloutHistory, replayAll } from './replay.ts'
import type { WantedRecords } from './unwanted-record.ts'

/** A piece that is not a record. */
export interface TornPiece {
  readonly piece: number
  readonly line: number
  /**
   * - `text`: Codex skips it.
   * - `bytes`: it is not text, and Codex fails.
   * - `glued`: it shares its line with a record.
   * - `tail`: the next record would be appended to it.
   * - `front`: no record is before it.
   * - `mark`: it is the byte order mark of the file.
   */
  readonly kind: 'text' | 'bytes' | 'glued' | 'tail' | 'front' | 'mark'
}

/** The result of one pass over a rollout. */
export interface RolloutScan {
  readonly header: RolloutHeader | undefined
  readonly history: RolloutHistory
  readonly torn: readonly TornPiece[]
  /** The first piece with a wrong number, in a rollout whose records are numbered, and the right number. */
  readonly misnumbered: { readonly piece: number; readonly ordinal: number } | undefined
  /** The number for a record after the last. */
  readonly nextOrdinal: number
  readonly firstRecord: number
  /** How many records have today's format of Codex. */
  readonly knownRecords: number
  /** The records with user messages. */
  readonly spoken: readonly number[]
  /** Records with bytes that are not text. */
  readonly saved: readonly number[]
  /** Records with another record after them on their line. */
  readonly joined: readonly number[]
  /** Where piece numbers differ from line numbers: from a piece on, by how many. */
  readonly shifts: readonly { readonly piece: number; readonly by: number }[]
}

/** Reads a rollout of any size once, or twice if turns of it were rolled back. */
export function scanRollout(
  lines: () => Iterable<RawLine>,
  inherited: () => Iterable<HistoryChange>,
  wantedRecords: WantedRecords,
): RolloutScan {
  const replay = new Replay()
  for (const change of inherited()) replay.push(change)
  const first = pass(lines(), wantedRecords, change => replay.push(change))
  if (!replay.isLost) return { ...first, history: replay.history }
  const changes = [...inherited()]
  const second = pass(lines(), wantedRecords === 'all' ? 'all' : 'turns', change => changes.push(change))
  return { ...second, history: replayAll(changes) }
}

function pass(
  lines: Iterable<RawLine>,
  wantedRecords: WantedRecords,
  take: (change: HistoryChange) => void,
): Omit<RolloutScan, 'history'> {
  const torn: TornPiece[] = []
  const joined: number[] = []
  const saved: number[] = []
  const spoken: number[] = []
  const shifts: { piece: number; by: number }[] = []
  const numbers = new Ordinals()
  let header: RolloutHeader | undefined
  let [pieces, firstRecord, knownRecords] = [0, -1, 0]
  let glued: RolloutPiece['kind'] | undefined
  for (const piece of rolloutPieces(lines, wantedRecords)) {
    const { kind, value, isGlued } = piece
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
    if (value) header ??= rolloutHeaderOf(value, at)
    if (header?.isPaginated) numbers.add(piece.ordinal, at, header.firstOrdinal)
    const change = value && historyChangeOf(value, at)
    if (!change) continue
    if (isSpoken(change)) spoken.push(at)
    take(change)
  }
  const { misnumbered, next: nextOrdinal } = numbers
  return { header, torn, spoken, misnumbered, nextOrdinal, firstRecord, knownRecords, saved, joined, shifts }
}

const isSpoken = (change: HistoryChange): boolean =>
  change.kind === 'words' && change.isBoundary === true && !change.isWarning

/** The numbers of records, which have no gap. `next` is -1 before the first. */
class Ordinals {
  next = -1
  misnumbered: RolloutScan['misnumbered']

  add(ordinal: unknown, piece: number, first: number): void {
    if (this.next < 0) this.next = Number.isSafeInteger(ordinal) ? Number(ordinal) : first
    if (ordinal !== this.next) this.misnumbered ??= { piece, ordinal: this.next }
    this.next++
  }
}

function tornAt(
  { bytes, line, isGlued, ending }: RolloutPiece,
  piece: number,
  isGluedTo: boolean,
  isFirst: boolean,
): TornPiece {
  if (!isUtf8(bytes)) return { piece, line, kind: 'bytes' }
  if (isFirst && bytes.length > 0 && byteOrderMarkLength(bytes) === bytes.length) return { piece, line, kind: 'mark' }
  if (isGlued || isGluedTo) return { piece, line, kind: 'glued' }
  if (ending === '') return { piece, line, kind: 'tail' }
  return { piece, line, kind: isFirst ? 'front' : 'text' }
}

/** The line of a piece, from 0. */
export const lineOf = ({ shifts }: Pick<RolloutScan, 'shifts'>, piece: number): number =>
  piece - (shifts[countWhile(shifts, shift => shift.piece <= piece) - 1]?.by ?? 0)

/** What a fork inherits from a rollout: none of it can be written. */
export function* inheritedChanges(lines: Iterable<RawLine>): Generator<HistoryChange> {
  for (const { value } of rolloutPieces(lines, 'turns')) {
    const change = value && historyChangeOf(value, -1)
    if (change) yield change
  }
}
