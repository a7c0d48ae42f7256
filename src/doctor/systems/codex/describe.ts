import { reportText } from '../../report-text.ts'
import type { DroppedRecord, Examination } from '../../system.ts'
import type { HistoryDefect } from './defect.ts'
import { defectivePieces, fileDefects, rolloutNotes } from './file-defects.ts'
import { itemText, type PieceBytes } from './piece-bytes.ts'
import { harmful, type PlannedEdits } from './plan-edits.ts'
import { diagnosticOf, itemPlace, repairOf } from './report.ts'
import type { RolloutScan } from './scan.ts'

type Description = Pick<Examination, 'repairs' | 'remaining' | 'dropped' | 'notes' | 'since'>

/** The examination of a rollout and of its planned edits. */
export function describeRollout(scan: RolloutScan, { repaired, left }: PlannedEdits, taken: PieceBytes): Description {
  const [defects, unrepaired] = fileDefects(scan)
  const passed = left.filter(({ kind }) => kind === 'orphan')
  const staying = left.filter(({ kind }) => kind !== 'orphan')
  const pieces = [...[...repaired, ...staying].map(({ item }) => item.piece), ...defectivePieces(scan)]
  return {
    repairs: [...defects, ...repaired.map(defect => repairOf(defect, scan))],
    remaining: [...unrepaired, ...staying.map(defect => diagnosticOf(defect, scan))],
    dropped: [...tornIn(scan, taken), ...repaired.filter(isLoss).map(defect => droppedOf(defect, scan, taken))],
    notes: rolloutNotes(scan, passed),
    ...(pieces.length === 0 ? {} : { since: sinceOf(scan, pieces) }),
  }
}

/** The defects whose item is removed, or no longer read. */
const isLoss = ({ kind }: HistoryDefect): boolean => kind === 'repeated' || kind === 'duplicate' || kind === 'orphan'

const tornIn = (scan: RolloutScan, taken: PieceBytes): DroppedRecord[] =>
  harmful(scan.torn.filter(({ kind }) => kind !== 'mark')).map(({ piece }) => {
    const at = itemPlace({ piece, inner: -1 }, scan)
    return { at, rule: 'torn-record', content: reportText(taken.get(piece)?.toString() ?? '') }
  })

function droppedOf(defect: HistoryDefect, scan: RolloutScan, taken: PieceBytes): DroppedRecord {
  const { rule, at } = diagnosticOf(defect, scan)
  return { at, rule, content: reportText(itemText(defect.item, taken)) }
}

/** The place of the first defect, and the number of user messages up to there. */
function sinceOf(scan: RolloutScan, pieces: readonly number[]): Required<Description>['since'] {
  const piece = pieces.reduce((least, one) => Math.min(least, one))
  const turn = scan.spoken.filter(one => one <= piece).length
  return { turn: Math.max(turn, 1), at: itemPlace({ piece, inner: -1 }, scan) }
}
