import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { Finding } from './finding.ts'
import { placeOf } from './report.ts'
import type { Scan, Torn } from './scan.ts'

/** What is wrong with a rollout as a file: what is mended, and what cannot be. */
export function faultsOf(scan: Scan): [Repair[], Diagnostic[]] {
  const { header, firstRecord, misnumbered, saved, joined } = scan
  const mended: Repair[] = scan.torn
    .filter(({ kind }) => kind !== 'text')
    .map(torn => fault(tornWords(torn), torn.piece, scan))
  for (const piece of saved) mended.push(fault(savedWords, piece, scan))
  for (const piece of joined) mended.push(fault(joinedWords, piece, scan))
  if (misnumbered) {
    const refusal = `expected ordinal ${misnumbered.ordinal}`
    mended.push(fault({ ...numberWords, refusal }, misnumbered.piece, scan))
  }
  if (!header) return [mended, [fault(headlessWords, Math.max(firstRecord, 0), scan)]]
  if (header.piece === firstRecord) return [mended, []]
  const moved = fault(headerWords, header.piece, scan)
  return header.isPaginated ? [mended, [moved]] : [[...mended, moved], []]
}

/** Where a rollout is faulty as a file. */
export function faultyPieces({ torn, saved, joined, misnumbered, header, firstRecord }: Scan): number[] {
  const misplaced = header?.piece === firstRecord ? [] : [Math.max(firstRecord, 0)]
  return [
    ...torn.filter(({ kind }) => kind !== 'text').map(({ piece }) => piece),
    ...saved,
    ...joined,
    ...(misnumbered ? [misnumbered.piece] : []),
    ...misplaced,
  ]
}

/** What its owner should know and nothing has to be done about. */
export function notesOn(scan: Scan, orphans: readonly Finding[]): string[] {
  const passed = scan.torn.filter(({ kind }) => kind === 'text')
  return [
    ...(passed.length === 0 ? [] : [`${listed(passed.map(({ line }) => line + 1))} no JSON, and Codex passes over it`]),
    ...(orphans.length === 0
      ? []
      : [`${listed(linesOf(orphans, scan))} a result of no call, and Codex passes over it`]),
  ]
}

const linesOf = (findings: readonly Finding[], scan: Scan): number[] =>
  findings.map(({ item }) => Number(placeOf({ piece: item.piece, inner: -1 }, scan).slice(5)))

function listed(lines: readonly number[]): string {
  const shown = lines.slice(0, 5).join(', ')
  return lines.length === 1 ? `line ${shown} is` : `lines ${shown}${lines.length > 5 ? ' and others' : ''} are each`
}

type FaultWords = Pick<Repair, 'rule' | 'message' | 'help' | 'refusal' | 'class'>

const fault = (words: FaultWords, piece: number, scan: Scan): Repair => ({
  ...words,
  severity: 'error',
  at: placeOf({ piece, inner: -1 }, scan),
  edits: [],
})

const tornWords = ({ kind }: Torn): FaultWords => (kind === 'mark' ? markWords : tornWordsOf(kind))

const markWords: FaultWords = {
  rule: 'byte-order-mark',
  class: 'lossless',
  message: 'the file begins with a byte order mark, and Codex does not open the session for it',
  help: 'remove the mark (lossless)',
}

const tornWordsOf = (kind: Exclude<Torn['kind'], 'mark'>): FaultWords => ({
  rule: 'torn-record',
  class: 'lossy',
  message: tornMessages[kind],
  help: 'leave it out (lossy)',
  ...(kind === 'bytes' ? { refusal: 'stream did not contain valid UTF-8' } : {}),
})

const tornMessages: Readonly<Record<Exclude<Torn['kind'], 'mark'>, string>> = {
  text: 'this line is no JSON',
  bytes: 'these bytes are no text, and Codex refuses the whole session for them',
  glued: 'part of a record stands on the line of another, so that Codex reads neither',
  tail: 'the last record was cut off, and Codex would write the next one onto it',
  front: 'something stands before the record that says which session this is',
}

const savedWords: FaultWords = {
  rule: 'invalid-text',
  class: 'lossy',
  message: 'some bytes of this record are no text, and Codex refuses the whole session for them',
  help: 'write a question mark for each (lossy)',
  refusal: 'stream did not contain valid UTF-8',
}

const joinedWords: FaultWords = {
  rule: 'joined-records',
  class: 'lossless',
  message: 'two records stand on one line, so that Codex reads neither',
  help: 'give each its own line (lossless)',
}

const numberWords: FaultWords = {
  rule: 'broken-numbering',
  class: 'lossless',
  message: 'from here on the numbers of the records do not follow each other, and Codex cannot open the session',
  help: 'number them anew (lossless)',
}

const headerWords: FaultWords = {
  rule: 'misplaced-header',
  class: 'lossless',
  message: 'the record that says which session this is does not come first',
  help: 'put it first (lossless)',
}

const headlessWords: FaultWords = {
  rule: 'missing-header',
  class: 'lossy',
  message: 'no record says which session this is, so Codex cannot open it',
  help: 'nothing here can bring it back',
  refusal: 'failed to parse thread ID from rollout file',
}
