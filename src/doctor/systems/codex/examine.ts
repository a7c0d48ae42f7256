import { unreadable } from '../../files/file-error.ts'
import { type LastLook, swapFile } from '../../files/swap-file.ts'
import type { Examination } from '../../system.ts'
import type { Interest } from './aside.ts'
import { type Diagnosis, diagnose } from './diagnose.ts'
import { drawRollout } from './draw.ts'
import type { Fact } from './fact.ts'
import type { Plan } from './plan.ts'
import { harmful, neededFor, prescribeFreely, prescribeInPlace } from './prescribe.ts'
import { repeatsIn } from './repeats.ts'
import { rewrite } from './rewrite.ts'
import type { RolloutFile } from './rollout-file.ts'
import { type Scan, scan as scanLines } from './scan.ts'
import { type Taken, take } from './take.ts'
import { tell } from './tell.ts'

/** What a rollout inherits, and what could not be read of it. */
export interface Inherited {
  facts(): Iterable<Fact>
  readonly trouble?: string
  close(): void
}

/** Examines a rollout of any size: one pass for the ids, and others only for what they leave in doubt. */
export function examineRollout(file: RolloutFile, inherited: Inherited, isPaginated: boolean): Examination {
  // Where every record counts, every one is read.
  const interest: Interest = isPaginated ? 'all' : 'history'
  const scan = scanned(file, inherited, interest)
  const { findings, counts }: Diagnosis = diagnose(scan.history, repeatsIn(scan.history.items, file), !isPaginated)
  const taken = take(file, [...neededFor(findings), ...harmful(scan.torn).map(({ piece }) => piece)])
  const prescription = (isPaginated ? prescribeInPlace : prescribeFreely)(scan, findings, taken)
  const { repairs, remaining, notes, ...told } = tell(scan, prescription, taken)
  return {
    state: repairs.length > 0 || remaining.length > 0 ? 'broken' : 'healthy',
    counts,
    repairs,
    remaining,
    notes: inherited.trouble === undefined ? notes : [...notes, inherited.trouble],
    ...told,
    draw: () => drawRollout(file, scan, prescription.mended),
    ...(repairs.length === 0
      ? {}
      : {
          treatment: {
            files: [file.path],
            apply: last => write(file, prescription.plan, taken, scan.nextOrdinal, interest, last),
          },
        }),
  }
}

/** What one pass tells. Throws if that is not enough to say anything of the rollout. */
export function scanned(file: RolloutFile, { facts, trouble }: Inherited, interest: Interest): Scan {
  const scan = scanLines(file.lines, facts, interest)
  const { header, history, knownRecords } = scan
  if (knownRecords === 0)
    throw unreadable(file.path, 'it holds no record of the form that Codex writes, or only of very old ones')
  if (header?.strangeMode !== undefined)
    throw unreadable(file.path, `its history is written in the mode ${header.strangeMode}, which is not known`)
  return { ...scan, history: { ...history, isPartial: history.isPartial || trouble !== undefined } }
}

export async function write(
  file: RolloutFile,
  plan: Plan,
  taken: Taken,
  nextOrdinal: number,
  interest: Interest,
  last: LastLook | undefined,
): Promise<void> {
  const moved = [...plan.moved].filter(piece => !taken.has(piece))
  const blocks = rewrite(file.lines(), plan, new Map([...taken, ...take(file, moved)]), nextOrdinal, interest)
  await swapFile(file.path, file.fingerprint, file.pack ? file.pack(slowly(blocks)) : blocks, last)
}

async function* slowly(blocks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* blocks
}
