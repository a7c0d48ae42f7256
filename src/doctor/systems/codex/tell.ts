import type { Dropped, Examination } from '../../system.ts'
import { faultsOf, faultyPieces, notesOn } from './faults.ts'
import type { Finding } from './finding.ts'
import { harmful, type Prescription } from './prescribe.ts'
import { diagnosticOf, placeOf, repairOf } from './report.ts'
import type { Scan } from './scan.ts'
import { type Taken, takenText } from './take.ts'

type Told = Pick<Examination, 'repairs' | 'remaining' | 'dropped' | 'notes' | 'since'>

/** What an examination says of a rollout and of what is done about it. */
export function tell(scan: Scan, { mended, left }: Prescription, taken: Taken): Told {
  const [faults, unmended] = faultsOf(scan)
  const passed = left.filter(({ kind }) => kind === 'orphan')
  const staying = left.filter(({ kind }) => kind !== 'orphan')
  const pieces = [...[...mended, ...staying].map(({ item }) => item.piece), ...faultyPieces(scan)]
  return {
    repairs: [...faults, ...mended.map(finding => repairOf(finding, scan))],
    remaining: [...unmended, ...staying.map(finding => diagnosticOf(finding, scan))],
    dropped: [...tornIn(scan, taken), ...mended.filter(isLoss).map(finding => droppedOf(finding, scan, taken))],
    notes: notesOn(scan, passed),
    ...(pieces.length === 0 ? {} : { since: sinceOf(scan, pieces) }),
  }
}

/** What is no longer there, or no longer read. */
const isLoss = ({ kind }: Finding): boolean => kind === 'repeated' || kind === 'duplicate' || kind === 'orphan'

const tornIn = (scan: Scan, taken: Taken): Dropped[] =>
  harmful(scan.torn.filter(({ kind }) => kind !== 'mark')).map(({ piece }) => {
    const at = placeOf({ piece, inner: -1 }, scan)
    return { at, rule: 'torn-record', content: shown(taken.get(piece)?.toString() ?? '') }
  })

function droppedOf(finding: Finding, scan: Scan, taken: Taken): Dropped {
  const { rule, at } = diagnosticOf(finding, scan)
  return { at, rule, content: shown(takenText(finding.item, taken)) }
}

/** Where the first fault stands, and how often the user had spoken by then. */
function sinceOf(scan: Scan, pieces: readonly number[]): Required<Told>['since'] {
  const piece = pieces.reduce((least, one) => Math.min(least, one))
  const turn = scan.spoken.filter(one => one <= piece).length
  return { turn: Math.max(turn, 1), at: placeOf({ piece, inner: -1 }, scan) }
}

/** A record as it stands in a report: a large one is cut, for the backup has it all. */
const shown = (text: string): string =>
  text.length > shownMax ? `${text.slice(0, shownMax)}… (${text.length} characters in all)` : text

const shownMax = 16 * 1024
