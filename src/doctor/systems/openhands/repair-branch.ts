import { valueAt } from '../../../core/invariant.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { type StoredEvent, shortName } from './event.ts'
import { logRepair } from './log-repair.ts'
import type { EventTree } from './tree.ts'

/** A branch with repairs applied, and the list of them. */
export interface RepairedBranch {
  readonly branch: readonly StoredEvent[]
  readonly repairs: readonly Repair[]
}

/**
 * Adds calls and results next to a branch to it: an error that was attached to a stale head cut off its action, and a
 * head that was reset to a call cut off its result.
 */
export function withNeighbours(
  tree: EventTree,
  branch: readonly StoredEvent[],
  mayWait: ReadonlySet<StoredEvent>,
): RepairedBranch {
  const here = new Map(branch.map((event, index) => [event, index]))
  const called = new Set(branch.map(({ call }) => call?.id))
  const answered = new Set(branch.map(({ result }) => result?.id))
  const { calls, results } = callsAndResults(tree.events.filter(event => !here.has(event)))
  const added = new Map<number, StoredEvent[]>()
  const repairs: Repair[] = []
  const take = (at: number, events: readonly StoredEvent[], repair: Repair): void => {
    const others = added.get(at) ?? []
    for (const event of events) others.push(event)
    added.set(at, others)
    repairs.push(repair)
  }
  const takeCall = (index: number, event: StoredEvent, id: string): void => {
    const lost = called.has(id) ? undefined : calls.get(id)
    if (!lost) return
    const { at, path } = wayTo(tree, lost, here, isOf('action'))
    if (at < 0 || !branch.slice(at + 1, index).every(isOf('result'))) return
    called.add(id)
    const words = `its call ${id} is in ${shortName(lost)}, next to the branch`
    take(at, path, logRepair('orphan-result', shortName(event), words, 'add the call to the branch'))
  }
  const takeResult = (index: number, event: StoredEvent, id: string): void => {
    const found = answered.has(id) || mayWait.has(event) ? undefined : results.get(id)
    if (!found) return
    const { at } = wayTo(tree, found, here, isOf('result'))
    if (at < index || !branch.slice(index, at + 1).every(isOf('action', 'result'))) return
    answered.add(id)
    const words = `the result of call ${id} is in ${shortName(found)}, on another branch`
    take(at, [found], logRepair('unanswered-call', shortName(event), words, 'add the result to the branch'))
  }
  for (const [index, event] of branch.entries()) {
    if (event.result) takeCall(index, event, event.result.id)
    if (event.call) takeResult(index, event, event.call.id)
  }
  if (added.size === 0) return { branch, repairs: [] }
  return { branch: branch.flatMap((event, index) => [event, ...new Set(added.get(index) ?? [])]), repairs }
}

/** The last call of each id, and its first result that is not an error, or else its first. */
function callsAndResults(
  events: readonly StoredEvent[],
): Record<'calls' | 'results', ReadonlyMap<string, StoredEvent>> {
  const calls = new Map<string, StoredEvent>()
  const results = new Map<string, StoredEvent>()
  for (const event of events) {
    const { call, result } = event
    if (call) calls.set(call.id, event)
    const known = result && results.get(result.id)
    if (result && (!known || (known.result?.isError && !result.isError))) results.set(result.id, event)
  }
  return { calls, results }
}

const isOf =
  (...roles: readonly StoredEvent['role'][]) =>
  ({ role, condensation }: StoredEvent): boolean =>
    roles.includes(role) || (role === 'aside' && !condensation)

/** The events from a branch to one next to it, if all of them qualify, and where on the branch they begin; else -1. */
function wayTo(
  tree: EventTree,
  event: StoredEvent,
  here: ReadonlyMap<StoredEvent, number>,
  passes: (event: StoredEvent) => boolean,
): { at: number; path: StoredEvent[] } {
  const path: StoredEvent[] = []
  for (let next: StoredEvent | undefined = event; next; next = tree.parentOf(next)) {
    const at = here.get(next)
    if (at !== undefined) return { at, path: path.reverse() }
    if (!passes(next)) break
    path.push(next)
  }
  return { at: -1, path: [] }
}

/**
 * Calls of one response with a result between them become one step again, if a call before the result is still open:
 * the result was written before all calls were, and is moved after them.
 */
export function withWholeSteps(branch: readonly StoredEvent[]): RepairedBranch {
  const repairs: Repair[] = []
  const whole: StoredEvent[] = []
  for (let index = 0; index < branch.length; ) {
    const { end, isSplit } = stepFrom(branch, index)
    const step = branch.slice(index, end)
    const early = isSplit ? step.filter(({ role }) => role === 'result') : []
    for (const result of early)
      repairs.push(
        logRepair('split-step', shortName(result), splitWords(result), 'move it after the last call of the response'),
      )
    for (const event of step) if (!isSplit || event.role !== 'result') whole.push(event)
    for (const result of early) whole.push(result)
    index = end
  }
  return repairs.length > 0 ? { branch: whole, repairs } : { branch, repairs }
}

const splitWords = ({ result }: StoredEvent): string =>
  `the result of call ${result?.id} is between the calls of one response, and splits it in two`

/** Where the calls of the response that begins here end, and whether results split it while a call is open. */
function stepFrom(branch: readonly StoredEvent[], start: number): { end: number; isSplit: boolean } {
  const response = branch[start]?.call?.response
  const open = new Set<string>()
  let isCut = false
  let isSplit = false
  let end = start + 1
  for (let index = start; response !== undefined && index < branch.length; index++) {
    const { call, result, role, condensation } = valueAt(branch, index)
    if (call) {
      if (call.response !== response || (index > start && call.hasThought)) break
      if (isCut && open.size > 0) isSplit = true
      open.add(call.id)
      end = index + 1
    } else if (result) {
      isCut = true
      open.delete(result.id)
    } else if (role !== 'aside' || condensation) break
  }
  return { end, isSplit }
}

/** The actions that may stay open: those of the last response that could be run, if no message followed. */
export function waitingActions(branch: readonly StoredEvent[]): Set<StoredEvent> {
  const last = branch.findLastIndex(({ role }) => role === 'action')
  if (last < 0 || branch.slice(last).some(event => !isOf('action', 'result')(event))) return new Set()
  const { response } = valueAt(branch, last).call as NonNullable<StoredEvent['call']>
  const first = branch.findIndex(({ call }) => call?.response === response)
  const answered = new Set(branch.slice(first).map(({ result }) => result?.id))
  const isOpen = ({ call }: StoredEvent): boolean => call?.response === response && call.isRun && !answered.has(call.id)
  return new Set(branch.filter(isOpen))
}
