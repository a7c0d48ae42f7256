import type { Repair } from '../../../core/rules/repair.ts'
import { emptyDrawing } from '../../drawing.ts'
import { examineLines } from '../../examine-lines.ts'
import { inBlocks } from '../../files/block.ts'
import { fileError } from '../../files/file-error.ts'
import { fingerprint } from '../../files/fingerprint.ts'
import { type RawLine, rawLines } from '../../files/raw-lines.ts'
import { swapFile } from '../../files/swap-file.ts'
import type { LineFile } from '../../line-file.ts'
import type { BrokenSince } from '../../since.ts'
import type { Drawing, DroppedRecord, Examination } from '../../system.ts'
import { decidedLines } from './decided-line.ts'
import { type ApprovalDecision, ApprovalDecisions } from './decisions.ts'
import { historyFormat } from './record-format.ts'
import { recordIn, recoverRecords } from './torn-line.ts'

/**
 * Examines the history of a session. Defects of single lines are repaired first: the rest of a line after a crash,
 * which keeps the whole session from loading, and decisions that were never acted on.
 */
export function examineHistory(path: string): Examination {
  const before = fingerprint(path)
  const { repaired, waiting, isAsking, messageKeys, repairs, dropped } = surveyLines(path)
  const file = repairedFile(path, repaired)
  const lineOf = lineCounter(repaired)
  const examined = examineLines(file, historyFormat(lineOf, messageKeys), { pendingCalls: waiting })
  const found = { ...examined, draw: () => withLines(examined.draw?.() ?? emptyDrawing, lineOf) }
  if (repaired.size === 0) return found.state === 'healthy' && isAsking ? { ...found, state: 'pending' } : found
  return {
    ...found,
    state: 'broken',
    since: sinceOf(path, leastOf(repaired.keys()), found.since),
    repairs: [...repairs, ...found.repairs],
    dropped: [...dropped, ...found.dropped.map(one => ({ ...one, at: `line ${lineOf(Number(one.at.slice(5)) - 1)}` }))],
    storeRepair: found.storeRepair ?? {
      files: [path],
      apply: assertUnused => swapFile(path, before, inBlocks(bytesOf(file)), assertUnused),
    },
  }
}

/** Records are named by their lines in the file as it is. */
const withLines = (drawing: Drawing, lineOf: (record: number) => number): Drawing => ({
  ...drawing,
  records: drawing.records.map(({ text }, record) => ({ at: `line ${lineOf(record)}`, text })),
})

/** The replacement of lines that were repaired on their own, by line number from 1. */
type RepairedRecords = ReadonlyMap<number, readonly Buffer[]>

interface Survey {
  readonly repaired: RepairedRecords
  readonly waiting: ReadonlySet<string>
  readonly isAsking: boolean
  readonly messageKeys: ReadonlyMap<string, string>
  readonly repairs: readonly Repair[]
  readonly dropped: readonly DroppedRecord[]
}

function surveyLines(path: string): Survey {
  const decisions = new ApprovalDecisions()
  const repaired = new Map<number, readonly Buffer[]>()
  const repairs: Repair[] = []
  const dropped: DroppedRecord[] = []
  let line = 0
  let isLoadable = false
  for (const { bytes } of rawLines(path)) {
    line++
    if (isBlank(bytes)) continue
    const record = recordIn(bytes)
    if (record) {
      decisions.push(record, line)
      isLoadable = true
    } else {
      const { whole, rest } = recoverRecords(bytes)
      repaired.set(line, whole)
      isLoadable ||= whole.length > 0
      for (const piece of whole) decisions.push(recordIn(piece) ?? {}, line)
      if (rest !== '') decisions.pass(line)
      repairs.push(rest === '' ? joinedRepair(line) : tornRepair(line))
      if (rest !== '') dropped.push({ at: `line ${line}`, rule: 'torn-record', content: rest })
    }
  }
  if (!isLoadable) throw fileError(path, 'its only line is cut off, so nothing can be recovered')
  const decided = decidedIn(path, decisions, line => !repaired.has(line))
  for (const [line, lines] of decided.repaired) repaired.set(line, lines)
  const { waiting, isAsking, messageKeys } = decisions
  return {
    ...{ repaired, waiting, isAsking, messageKeys },
    repairs: [...repairs, ...decided.repairs],
    dropped: [...dropped, ...decided.dropped],
  }
}

/** The lines with decisions that no longer count, as they are to be. */
function decidedIn(
  path: string,
  { stale, spent }: ApprovalDecisions,
  isWanted: (line: number) => boolean,
): Pick<Survey, 'repaired' | 'repairs' | 'dropped'> {
  const [staleBy, spentBy] = [byLine(stale), byLine(spent)]
  const repaired = new Map<number, readonly Buffer[]>()
  const repairs: Repair[] = []
  const dropped: DroppedRecord[] = []
  let line = 0
  for (const { bytes } of staleBy.size + spentBy.size > 0 ? rawLines(path) : []) {
    line++
    const [left, done] = [staleBy.get(line) ?? [], spentBy.get(line) ?? []]
    if (left.length + done.length === 0 || !isWanted(line)) continue
    const text = bytes.toString()
    repaired.set(
      line,
      decidedLines(text, left, done).map(one => Buffer.from(one)),
    )
    repairs.push(...left.map(staleRepair), ...done.map(spentRepair))
    dropped.push({ at: `line ${line}`, rule: left.length > 0 ? 'unanswered-call' : 'misplaced-result', content: text })
  }
  return { repaired, repairs, dropped }
}

function byLine<T extends { readonly line: number }>(list: readonly T[]): Map<number, T[]> {
  const lines = new Map<number, T[]>()
  for (const one of list) {
    const known = lines.get(one.line)
    if (known) known.push(one)
    else lines.set(one.line, [one])
  }
  return lines
}

const leastOf = (lines: Iterable<number>): number => [...lines].reduce((least, line) => Math.min(least, line))

/** The first turn with a line that was repaired, unless something was wrong earlier. */
function sinceOf(path: string, bad: number, since: BrokenSince | undefined): BrokenSince {
  let [line, turn] = [0, 0]
  for (const { bytes } of rawLines(path)) {
    if (++line >= bad) break
    if (userRole.test(bytes.toString('utf8', 0, 200))) turn++
  }
  turn = Math.max(turn, 1)
  return since && since.turn < turn ? since : { turn, at: `line ${bad}` }
}

const userRole = /"role":\s*(?:"user"|\{[^}]*"user")/

const isBlank = (bytes: Buffer): boolean => bytes.length < 64 && bytes.toString().trim() === ''

const tornRepair = (line: number): Repair => ({
  rule: 'torn-record',
  severity: 'error',
  at: `line ${line}`,
  message: 'the line was cut while it was written, and with it nothing of the session loads',
  help: 'take out what is left of it (lossy)',
  class: 'lossy',
  edits: [],
})

const joinedRepair = (line: number): Repair => ({
  rule: 'joined-records',
  severity: 'error',
  at: `line ${line}`,
  message: 'several messages are on one line, so the session does not load',
  help: 'put each on a line of its own (lossless)',
  class: 'lossless',
  edits: [],
})

const staleRepair = ({ line, id, isGranted }: ApprovalDecision): Repair => ({
  rule: 'unanswered-call',
  severity: 'error',
  at: `line ${line}`,
  callId: id,
  message: `call ${id} was ${isGranted ? 'approved' : 'rejected'}, and has no result`,
  help: 'put a result in the place of the decision (synthetic)',
  class: 'synthetic',
  edits: [],
})

const spentRepair = ({ line, id }: ApprovalDecision): Repair => ({
  rule: 'misplaced-result',
  severity: 'error',
  at: `line ${line}`,
  callId: id,
  message: `the decision on call ${id} is apart from it, and its result follows the decision`,
  help: 'take the decision out, for it is done (lossy)',
  class: 'lossy',
  edits: [],
})

const repairedFile = (path: string, repaired: RepairedRecords): LineFile => ({
  path,
  *lines(): Generator<RawLine> {
    let line = 0
    for (const { bytes, ending } of rawLines(path)) {
      const now = repaired.get(++line) ?? [bytes]
      for (const [index, piece] of now.entries()) yield { bytes: piece, ending: index < now.length - 1 ? '\n' : ending }
    }
  },
})

/** The line number of a record, from 1. */
function lineCounter(repaired: RepairedRecords): (record: number) => number {
  const lines = [...repaired.keys()].sort((a, b) => a - b)
  return record => {
    let number = record + 1
    for (const line of lines) {
      const more = (repaired.get(line)?.length ?? 1) - 1
      if (number < line) break
      number = Math.max(line, number - more)
    }
    return number
  }
}

function* bytesOf(file: LineFile): Generator<Buffer> {
  for (const { bytes, ending } of file.lines()) {
    yield bytes
    yield Buffer.from(ending)
  }
}
