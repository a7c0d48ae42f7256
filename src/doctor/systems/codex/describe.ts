import type { JudgedRanges } from '../../examine-lines.ts'
import { reportText } from '../../report-text.ts'
import type { DroppedRecord, Examination } from '../../system.ts'
import { defectivePieces, fileDefects, rolloutNotes } from './file-defects.ts'
import { itemText, type PieceBytes } from './piece-bytes.ts'
import { type PlannedEdits, tornToRemove } from './plan-edits.ts'
import { itemPlace, reportOf } from './report.ts'
import type { RolloutScan } from './scan.ts'

type Description = Pick<Examination, 'repairs' | 'remaining' | 'dropped' | 'notes' | 'since'>

/** The examination of a rollout and of its planned edits. */
export function describeRollout(
  scan: RolloutScan,
  { sum, dropped }: Pick<JudgedRanges, 'sum' | 'dropped'>,
  planned: PlannedEdits,
  pieceBytes: PieceBytes,
): Description {
  const [defects, unrepaired] = fileDefects(scan)
  const { repairs, remaining, passed } = reportOf(sum, scan, planned)
  const pieces = [...[...repairs, ...remaining].map(({ item }) => item.piece), ...defectivePieces(scan)]
  return {
    repairs: [...defects, ...repairs.map(({ found }) => found)],
    remaining: [...unrepaired, ...remaining.map(({ found }) => found)],
    dropped: [
      ...tornIn(scan, pieceBytes),
      ...dropped
        .filter(({ record }) => !planned.left.has(record))
        .map(({ record, rule }) => droppedOf(record, rule, scan, pieceBytes)),
    ],
    notes: rolloutNotes(scan, passed),
    ...(pieces.length === 0 ? {} : { since: sinceOf(scan, pieces) }),
  }
}

const tornIn = (scan: RolloutScan, pieceBytes: PieceBytes): DroppedRecord[] =>
  tornToRemove(scan.torn.filter(({ kind }) => kind !== 'mark')).map(({ piece }) => {
    const at = itemPlace({ piece, inner: -1 }, scan)
    return { at, rule: 'torn-record', content: reportText(pieceBytes.get(piece)?.toString() ?? '') }
  })

function droppedOf(record: number, rule: string, scan: RolloutScan, pieceBytes: PieceBytes): DroppedRecord {
  const item = scan.history.items.item(record)
  const known = rule === 'repeated-step' || rule === 'duplicate-call-id' ? 'repeated-item' : rule
  return { at: itemPlace(item, scan), rule: known, content: reportText(itemText(item, pieceBytes)) }
}

/** The place of the first defect, and the number of user messages up to there. */
function sinceOf(scan: RolloutScan, pieces: readonly number[]): Required<Description>['since'] {
  const piece = pieces.reduce((least, one) => Math.min(least, one))
  const turn = scan.spoken.filter(one => one <= piece).length
  return { turn: Math.max(turn, 1), at: itemPlace({ piece, inner: -1 }, scan) }
}
