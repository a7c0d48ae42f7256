import { valueAt } from '../../../core/invariant.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { CallCounts } from '../../../heal/count.ts'
import { recordsIn } from '../../arrange.ts'
import { type ExaminedRecords, examineEntries } from '../../examine-entries.ts'
import type { RecordFormat } from '../../record-format.ts'
import { type StoredEvent, shortName } from './event.ts'
import type { Base, EventLog } from './log.ts'
import { logRepair } from './log-repair.ts'
import { branchFormat } from './record-format.ts'
import { reorderEvents } from './reorder-events.ts'
import { type RepairedBranch, waitingActions, withNeighbours, withWholeSteps } from './repair-branch.ts'
import { repairCondensations } from './repair-condensations.ts'
import { branchTo, eventTreeOf, headOf, withLinks, withoutRepeats } from './tree.ts'

/** A conversation as it will be, and why. */
export interface RepairedLog {
  readonly log: EventLog
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly dropped: readonly { readonly event: StoredEvent; readonly rule: string }[]
  readonly counts: CallCounts
  /** The number of open calls that may stay open. */
  readonly waiting: number
  /** The events that the program sends, as first judged. */
  readonly branch: readonly StoredEvent[]
  readonly examined: ExaminedRecords
}

/** Repairs a log until nothing is wrong with it. */
export function repairLog(log: EventLog): RepairedLog {
  let repaired = repairOnce(log)
  if (repaired.repairs.length === 0) return repaired
  for (let round = 1; round < roundsMax; round++) {
    const next = repairOnce(repaired.log)
    if (next.repairs.length === 0) return { ...repaired, remaining: next.remaining, waiting: next.waiting }
    repaired = {
      ...next,
      repairs: [...repaired.repairs, ...next.repairs],
      dropped: [...repaired.dropped, ...next.dropped],
      counts: repaired.counts,
      branch: repaired.branch,
      examined: repaired.examined,
    }
  }
  return repaired
}

const roundsMax = 6

function repairOnce(given: EventLog): RepairedLog {
  const single = withoutRepeats(given)
  const { log, repairs: links } = withLinks(single.log)
  const tree = eventTreeOf(log.events)
  const { head, repairs: heads } = headOf(tree, log.base)
  const before = branchTo(tree, head)
  const isWaiting = log.base.status === 'waiting_for_confirmation'
  const near = withNeighbours(tree, before, isWaiting ? waitingActions(before) : new Set())
  const whole = withWholeSteps(near.branch)
  const judged = judgedBranch(whole, isWaiting)
  const tied = withActionIds(judged.chain)
  const memory = repairCondensations(tied.chain, before)
  const repairs = [
    ...single.repairs,
    ...links,
    ...heads,
    ...near.repairs,
    ...whole.repairs,
    ...judged.repairs,
    ...tied.repairs,
    ...memory.repairs,
  ]
  const dropped = [...single.dropped.map(event => ({ event, rule: 'repeated-event' })), ...judged.dropped]
  const { counts, remaining, waiting, examined } = judged
  const found = { repairs, remaining, dropped, counts, waiting, branch: whole.branch, examined }
  if (repairs.length === 0) return { log: given, ...found }
  const events = reorderEvents(log.events, before, memory.chain)
  const base = withHead(log.base, memory.chain, events)
  return { log: { events, base }, ...found }
}

interface Judged extends Omit<RepairedLog, 'log' | 'branch'> {
  readonly chain: readonly StoredEvent[]
}

/** A branch after the pairing rules. */
function judgedBranch({ branch }: RepairedBranch, isWaiting: boolean): Judged {
  const recordFormat = branchFormat(branch, isWaiting)
  const open = isWaiting ? waitingActions(branch) : new Set<StoredEvent>()
  const pendingCalls = [...open].map(({ call }) => call?.id ?? '')
  const examined = examineEntries(branch, recordFormat, { pendingCalls })
  const { judgement, places, dropped } = examined
  const { repairs, remaining, counts, waiting } = judgement
  const chain: StoredEvent[] = []
  for (const line of recordsIn(places, branch.length)) chain.push(lineOf(line, branch, recordFormat, chain.at(-1)))
  return {
    chain: repairs.length > 0 ? chain : branch,
    repairs,
    remaining,
    counts,
    waiting,
    dropped: dropped.map(({ record, rule }) => ({ event: valueAt(branch, record), rule })),
    examined,
  }
}

type LineOf = ReturnType<typeof recordsIn> extends Generator<infer Line> ? Line : never

function lineOf(
  line: LineOf,
  branch: readonly StoredEvent[],
  recordFormat: RecordFormat<StoredEvent>,
  front: StoredEvent | undefined,
): StoredEvent {
  const event = valueAt(branch, line.record)
  if (line.kind === 'kept') return event
  if (line.kind === 'written') return recordFormat.write(event, line.parts, line.copy)
  return { ...recordFormat.answer(line.call, event, line.result), time: front?.time ?? event.time }
}

/** Results that name the event of their action: the program runs an action that no result names. */
function withActionIds(chain: readonly StoredEvent[]): { chain: readonly StoredEvent[]; repairs: Repair[] } {
  const repairs: Repair[] = []
  const actions = new Map<string, string>()
  const tied = chain.map(event => {
    const { call, result, id } = event
    if (call) actions.set(call.id, id)
    const action = result && actions.get(result.id)
    if (!result || action === undefined || result.action === undefined || result.action === action) return event
    const words = `it answers call ${result.id} and names another action, ${result.action}`
    repairs.push(logRepair('mismatched-result', shortName(event), words, 'name the action of its call'))
    return { ...event, result: { ...result, action } }
  })
  return { chain: repairs.length > 0 ? tied : chain, repairs }
}

/** The base state for a branch. */
function withHead(base: Base, chain: readonly StoredEvent[], events: readonly StoredEvent[]): Base {
  const { leaf, lastUser } = base
  const head = chain.at(-1)?.id
  const user = chain.findLast(event => event.kind === 'MessageEvent' && event.role === 'user')?.id
  const isLost = lastUser !== undefined && !events.some(({ id }) => id === lastUser)
  return {
    ...base,
    ...(leaf !== undefined && head !== undefined ? { leaf: head } : {}),
    ...(isLost && user !== undefined ? { lastUser: user } : {}),
  }
}
