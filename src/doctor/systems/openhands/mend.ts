import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import type { CallCounts } from '../../../heal/count.ts'
import { linesIn } from '../../arrange.ts'
import { type Examined, examineEntries } from '../../examine-entries.ts'
import type { Script } from '../../script.ts'
import { type StoredEvent, shortName } from './event.ts'
import { fault } from './fault.ts'
import { withMemory } from './forget.ts'
import { linedUp } from './line-up.ts'
import type { Base, Log } from './log.ts'
import { type Restepped, waitingActions, withNeighbours, withWholeSteps } from './restep.ts'
import { scriptFor } from './script.ts'
import { branchTo, headOf, treeOf, withLinks, withoutRepeats } from './tree.ts'

/** A conversation as it will be, and why. */
export interface Mended {
  readonly log: Log
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly dropped: readonly { readonly event: StoredEvent; readonly rule: string }[]
  readonly counts: CallCounts
  /** Calls that are open and may be. */
  readonly waiting: number
  /** The events that the program sends, as the first look at them judged them. */
  readonly branch: readonly StoredEvent[]
  readonly examined: Examined
}

/** Mends a log until nothing is wrong with it any more. */
export function mend(log: Log): Mended {
  let mended = mendOnce(log)
  if (mended.repairs.length === 0) return mended
  for (let round = 1; round < roundsMax; round++) {
    const next = mendOnce(mended.log)
    if (next.repairs.length === 0) return { ...mended, remaining: next.remaining, waiting: next.waiting }
    mended = {
      ...next,
      repairs: [...mended.repairs, ...next.repairs],
      dropped: [...mended.dropped, ...next.dropped],
      counts: mended.counts,
      branch: mended.branch,
      examined: mended.examined,
    }
  }
  return mended
}

const roundsMax = 6

function mendOnce(given: Log): Mended {
  const single = withoutRepeats(given)
  const { log, repairs: links } = withLinks(single.log)
  const tree = treeOf(log.events)
  const { head, repairs: heads } = headOf(tree, log.base)
  const before = branchTo(tree, head)
  const isWaiting = log.base.status === 'waiting_for_confirmation'
  const near = withNeighbours(tree, before, isWaiting ? waitingActions(before) : new Set())
  const whole = withWholeSteps(near.branch)
  const judged = judgedBranch(whole, isWaiting)
  const tied = withActionIds(judged.chain)
  const memory = withMemory(tied.chain, before)
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
  const events = linedUp(log.events, before, memory.chain)
  const base = withHead(log.base, memory.chain, events)
  return { log: { events, base }, ...found }
}

interface Judged extends Omit<Mended, 'log' | 'branch'> {
  readonly chain: readonly StoredEvent[]
}

/** What the rules of pairing make of a branch. */
function judgedBranch({ branch }: Restepped, isWaiting: boolean): Judged {
  const script = scriptFor(branch, isWaiting)
  const open = isWaiting ? waitingActions(branch) : new Set<StoredEvent>()
  const pendingCalls = [...open].map(({ call }) => call?.id ?? '')
  const examined = examineEntries(branch, script, { pendingCalls })
  const { judgement, places, dropped } = examined
  const { repairs, remaining, counts, waiting } = judgement
  const chain: StoredEvent[] = []
  for (const line of linesIn(places, branch.length)) chain.push(lineOf(line, branch, script, chain.at(-1)))
  return {
    chain: repairs.length > 0 ? chain : branch,
    repairs,
    remaining,
    counts,
    waiting,
    dropped: dropped.map(({ record, rule }) => ({ event: branch[record], rule })),
    examined,
  }
}

type LineOf = ReturnType<typeof linesIn> extends Generator<infer Line> ? Line : never

function lineOf(
  line: LineOf,
  branch: readonly StoredEvent[],
  script: Script<StoredEvent>,
  front: StoredEvent | undefined,
): StoredEvent {
  const event = branch[line.record]
  if (line.kind === 'kept') return event
  if (line.kind === 'written') return script.write(event, line.parts, line.copy)
  return { ...script.answer(line.call, event, line.result), time: front?.time ?? event.time }
}

/** Results that name the event of their action: the program runs an action that none names. */
function withActionIds(chain: readonly StoredEvent[]): { chain: readonly StoredEvent[]; repairs: Repair[] } {
  const repairs: Repair[] = []
  const actions = new Map<string, string>()
  const tied = chain.map(event => {
    const { call, result, id } = event
    if (call) actions.set(call.id, id)
    const action = result && actions.get(result.id)
    if (!result || action === undefined || result.action === undefined || result.action === action) return event
    const words = `it answers call ${result.id} and names another action, ${result.action}`
    repairs.push(fault('mismatched-result', shortName(event), words, 'name the action of its call'))
    return { ...event, result: { ...result, action } }
  })
  return { chain: repairs.length > 0 ? tied : chain, repairs }
}

/** The base state that goes with a branch. */
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
