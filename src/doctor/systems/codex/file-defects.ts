import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { RolloutItem } from './item.ts'
import { itemPlace } from './report.ts'
import type { RolloutScan, TornPiece } from './scan.ts'

/** The defects of a rollout as a file: those that are repaired, and those that cannot be. */
export function fileDefects(scan: RolloutScan): [Repair[], Diagnostic[]] {
  const { header, firstRecord, misnumbered, saved, joined } = scan
  const repaired: Repair[] = scan.torn
    .filter(({ kind }) => kind !== 'text')
    .map(torn => fileDefect(tornText(torn), torn.piece, scan))
  for (const piece of saved) repaired.push(fileDefect(savedText, piece, scan))
  for (const piece of joined) repaired.push(fileDefect(joinedText, piece, scan))
  if (misnumbered) {
    const refusal = `expected ordinal ${misnumbered.ordinal}`
    repaired.push(fileDefect({ ...numberText, refusal }, misnumbered.piece, scan))
  }
  if (!header) return [repaired, [fileDefect(headlessText, Math.max(firstRecord, 0), scan)]]
  if (header.piece === firstRecord) return [repaired, []]
  const moved = fileDefect(headerText, header.piece, scan)
  return header.isPaginated ? [repaired, [moved]] : [[...repaired, moved], []]
}

/** The defective places of the file. */
export function defectivePieces({ torn, saved, joined, misnumbered, header, firstRecord }: RolloutScan): number[] {
  const misplaced = header?.piece === firstRecord ? [] : [Math.max(firstRecord, 0)]
  return [
    ...torn.filter(({ kind }) => kind !== 'text').map(({ piece }) => piece),
    ...saved,
    ...joined,
    ...(misnumbered ? [misnumbered.piece] : []),
    ...misplaced,
  ]
}

/** What the user should know but need not act on. */
export function rolloutNotes(scan: RolloutScan, orphans: readonly RolloutItem[]): string[] {
  const passed = scan.torn.filter(({ kind }) => kind === 'text')
  return [
    ...(passed.length === 0 ? [] : [`${listed(passed.map(({ line }) => line + 1))} no JSON, and Codex passes over it`]),
    ...(orphans.length === 0
      ? []
      : [`${listed(linesOf(orphans, scan))} a result of no call, and Codex passes over it`]),
  ]
}

const linesOf = (items: readonly RolloutItem[], scan: RolloutScan): number[] =>
  items.map(({ piece }) => Number(itemPlace({ piece, inner: -1 }, scan).slice(5)))

function listed(lines: readonly number[]): string {
  const shown = lines.slice(0, 5).join(', ')
  return lines.length === 1 ? `line ${shown} is` : `lines ${shown}${lines.length > 5 ? ' and others' : ''} are each`
}

type DefectText = Pick<Repair, 'rule' | 'message' | 'help' | 'refusal' | 'class'>

const fileDefect = (words: DefectText, piece: number, scan: RolloutScan): Repair => ({
  ...words,
  severity: 'error',
  at: itemPlace({ piece, inner: -1 }, scan),
  edits: [],
})

const tornText = ({ kind }: TornPiece): DefectText => (kind === 'mark' ? markText : tornTextOf(kind))

const markText: DefectText = {
  rule: 'byte-order-mark',
  class: 'lossless',
  message: 'the file begins with a byte order mark, so Codex does not open the session',
  help: 'remove the mark (lossless)',
}

const tornTextOf = (kind: Exclude<TornPiece['kind'], 'mark'>): DefectText => ({
  rule: 'torn-record',
  class: 'lossy',
  message: tornMessages[kind],
  help: 'leave it out (lossy)',
  ...(kind === 'bytes' ? { refusal: 'stream did not contain valid UTF-8' } : {}),
})

const tornMessages: Readonly<Record<Exclude<TornPiece['kind'], 'mark'>, string>> = {
  text: 'this line is not JSON',
  bytes: 'these bytes are not text, so Codex rejects the whole session',
  glued: 'part of a record is on the line of another, so Codex reads neither',
  tail: 'the last record was cut off, and Codex would append the next one to it',
  front: 'something is before the record that identifies the session',
}

const savedText: DefectText = {
  rule: 'invalid-text',
  class: 'lossy',
  message: 'some bytes of this record are not text, so Codex rejects the whole session',
  help: 'write a question mark for each (lossy)',
  refusal: 'stream did not contain valid UTF-8',
}

const joinedText: DefectText = {
  rule: 'joined-records',
  class: 'lossless',
  message: 'two records are on one line, so Codex reads neither',
  help: 'give each its own line (lossless)',
}

const numberText: DefectText = {
  rule: 'broken-numbering',
  class: 'lossless',
  message: 'from here on the numbers of the records do not follow each other, and Codex cannot open the session',
  help: 'renumber them (lossless)',
}

const headerText: DefectText = {
  rule: 'misplaced-header',
  class: 'lossless',
  message: 'the record that identifies the session does not come first',
  help: 'put it first (lossless)',
}

const headlessText: DefectText = {
  rule: 'missing-header',
  class: 'lossy',
  message: 'no record identifies the session, so Codex cannot open it',
  help: 'it cannot be recovered from this file',
  refusal: 'failed to parse thread ID from rollout file',
}
