import type { JudgedRanges } from '../../examine-lines.ts'
import { fileError } from '../../files/file-error.ts'
import { type LastLook, swapFile } from '../../files/swap-file.ts'
import type { Examination } from '../../system.ts'
import { asAsync } from '../../write-lines.ts'
import type { Interest } from './aside.ts'
import { describeRollout } from './describe.ts'
import { drawRollout } from './draw.ts'
import type { HistoryChange } from './history-change.ts'
import { judgeItems } from './judge-items.ts'
import { type PieceBytes, readPieces } from './piece-bytes.ts'
import type { RolloutPlan } from './plan.ts'
import { harmful, neededFor, type PlannedEdits, planEdits, planEditsInPlace } from './plan-edits.ts'
import { reportOf } from './report.ts'
import { rewriteRollout } from './rewrite.ts'
import { isPacked, type RolloutFile } from './rollout-file.ts'
import { type RolloutScan, scanRollout as scanLines } from './scan.ts'
import { skimRollout } from './skim.ts'

/** What a rollout inherits, and what of it could not be read. */
export interface Inherited {
  changes(): Iterable<HistoryChange>
  readonly problem?: string
  close(): void
}

/** Examines a rollout of any size. Most are healthy, and that is seen much faster than what is wrong with one. */
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
  // If every record counts, every one is read.
  const interest: Interest = isPaginated ? 'all' : 'history'
  const scan = scanOrThrow(file, inherited, interest)
  const { items, isPartial } = scan.history
  const examineItems = (isWhole: boolean): ExaminedItems => {
    const judged = judgeItems(file, scan.history, !isPaginated, isWhole)
    const pieces = [...neededFor(scan, judged), ...harmful(scan.torn).map(({ piece }) => piece)]
    const taken = readPieces(file, pieces)
    return { judged, taken, planned: (isPaginated ? planEditsInPlace : planEdits)(scan, judged, taken) }
  }
  const { judged, taken, planned } = examineItems(false)
  const { repairs, remaining, notes, ...description } = describeRollout(scan, judged, planned, taken)
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
            apply: last => writeRollout(file, planned.plan, taken, scan.nextOrdinal, interest, last),
          },
        }),
  }
}

interface ExaminedItems {
  readonly judged: JudgedRanges
  readonly taken: PieceBytes
  readonly planned: PlannedEdits
}

/** The result of one pass. Throws if the rollout cannot be examined. */
export function scanOrThrow(file: RolloutFile, { changes, problem }: Inherited, interest: Interest): RolloutScan {
  const scan = scanLines(file.lines, changes, interest)
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
  taken: PieceBytes,
  nextOrdinal: number,
  interest: Interest,
  last: LastLook | undefined,
): Promise<void> {
  const moved = [...plan.moved].filter(piece => !taken.has(piece))
  const blocks = rewriteRollout(
    file.lines(),
    plan,
    new Map([...taken, ...readPieces(file, moved)]),
    nextOrdinal,
    interest,
  )
  await swapFile(file.path, file.fingerprint, file.pack ? file.pack(asAsync(blocks)) : blocks, last)
}
