import type { JudgedRanges } from '../../examine-lines.ts'
import { fileError } from '../../files/file-error.ts'
import { type AssertUnused, swapFile } from '../../files/swap-file.ts'
import type { Examination } from '../../system.ts'
import { asAsync } from '../../write-lines.ts'
import { describeRollout } from './describe.ts'
import { drawRollout } from './draw.ts'
import type { HistoryChange } from './history-change.ts'
import { judgeItems } from './judge-items.ts'
import { type PieceBytes, readPieces } from './piece-bytes.ts'
import type { RolloutPlan } from './plan.ts'
import { neededFor, type PlannedEdits, planEdits, planEditsInPlace, tornToRemove } from './plan-edits.ts'
import { reportOf } from './report.ts'
import { rewriteRollout } from './rewrite.ts'
import { isPacked, type RolloutFile } from './rollout-file.ts'
import { type RolloutScan, scanRollout as scanLines } from './scan.ts'
import { skimRollout } from './skim.ts'
import type { WantedRecords } from './unwanted-record.ts'

/** What a rollout inherits, and what of it could not be read. */
export interface Inherited {
  changes(): Iterable<HistoryChange>
  readonly problem?: string
  close(): void
}

/** Examines a rollout of any size. Most are healthy: a faster pass without parsing finds that out first. */
export function examineRollout(file: RolloutFile, inherited: Inherited, isPaginated: boolean): Examination {
  const counts = isPaginated || isPacked(file.path) ? undefined : skimRollout(file.path)
  if (!counts) return examineRecords(file, inherited, isPaginated)
  return {
    state: 'healthy',
    counts: { ...counts, orphans: 0, unanswered: 0 },
    repairs: [],
    remaining: [],
    notes: [],
    dropped: [],
    draw: () => examineRecords(file, inherited, isPaginated).draw(),
  }
}

/** One pass for the ids, and more only for doubtful items. */
export function examineRecords(
  file: RolloutFile,
  inherited: Inherited,
  isPaginated: boolean,
): Examination & Required<Pick<Examination, 'draw'>> {
  // In a paginated rollout the number of every record is checked, so every record is parsed.
  const wantedRecords: WantedRecords = isPaginated ? 'all' : 'history'
  const scan = scanOrThrow(file, inherited, wantedRecords)
  const { items, isPartial } = scan.history
  const examineItems = (isWhole: boolean): ExaminedItems => {
    const judged = judgeItems(file, scan.history, !isPaginated, isWhole)
    const pieces = [...neededFor(scan, judged), ...tornToRemove(scan.torn).map(({ piece }) => piece)]
    const pieceBytes = readPieces(file, pieces)
    return { judged, pieceBytes, planned: (isPaginated ? planEditsInPlace : planEdits)(scan, judged, pieceBytes) }
  }
  const { judged, pieceBytes, planned } = examineItems(false)
  const { repairs, remaining, notes, ...description } = describeRollout(scan, judged, planned, pieceBytes)
  const { orphans, unanswered } = judged.sum
  return {
    state: repairs.length > 0 || remaining.length > 0 ? 'broken' : 'healthy',
    counts: { ...items.counts(), orphans: isPartial ? 0 : orphans, unanswered },
    repairs,
    remaining,
    notes: inherited.problem === undefined ? notes : [...notes, inherited.problem],
    ...description,
    draw: () => {
      const whole = examineItems(true)
      return drawRollout(file, scan, whole.judged, reportOf(whole.judged.sum, scan, whole.planned))
    },
    ...(repairs.length === 0
      ? {}
      : {
          storeRepair: {
            files: [file.path],
            apply: assertUnused =>
              writeRollout(file, planned.plan, pieceBytes, scan.nextOrdinal, wantedRecords, assertUnused),
          },
        }),
  }
}

interface ExaminedItems {
  readonly judged: JudgedRanges
  readonly pieceBytes: PieceBytes
  readonly planned: PlannedEdits
}

/** The result of one pass. Throws if the rollout cannot be examined. */
export function scanOrThrow(
  file: RolloutFile,
  { changes, problem }: Inherited,
  wantedRecords: WantedRecords,
): RolloutScan {
  const scan = scanLines(file.lines, changes, wantedRecords)
  const { header, history, knownRecords } = scan
  if (knownRecords === 0)
    throw fileError(
      file.path,
      'no Codex records were found, or only those of very old versions',
      'check that it is a rollout file',
    )
  if (header?.strangeMode !== undefined)
    throw fileError(file.path, `its history is written in the mode ${header.strangeMode}, which is not known`)
  return { ...scan, history: { ...history, isPartial: history.isPartial || problem !== undefined } }
}

export async function writeRollout(
  file: RolloutFile,
  plan: RolloutPlan,
  pieceBytes: PieceBytes,
  nextOrdinal: number,
  wantedRecords: WantedRecords,
  assertUnused: AssertUnused | undefined,
): Promise<void> {
  const moved = [...plan.moved].filter(piece => !pieceBytes.has(piece))
  const blocks = rewriteRollout(
    file.lines(),
    plan,
    new Map([...pieceBytes, ...readPieces(file, moved)]),
    nextOrdinal,
    wantedRecords,
  )
  await swapFile(file.path, file.fingerprint, file.pack ? file.pack(asAsync(blocks)) : blocks, assertUnused)
}
