import type { Message } from '../conversation.ts'
import { equal } from '../json/equal.ts'
import { isPlaceholder } from '../placeholder.ts'
import {
  assignResult,
  type CallsById,
  isOpen,
  mayBeOfTool,
  nextOpen,
  type PairedCall,
  type PairedResult,
  removeReassigned,
} from './paired-calls.ts'

/** From each position on, the position of the first message that matches; the number of messages if none does. */
type NextPosition = (from: number) => number

function nextPositions(messages: readonly Message[], matches: (message: Message) => boolean): NextPosition {
  const next = new Int32Array(messages.length)
  let latest = messages.length
  for (let position = messages.length - 1; position >= 0; position--) {
    const message = messages[position]
    if (message && matches(message)) latest = position
    next[position] = latest
  }
  return from => next[from] ?? messages.length
}

/**
 * A result before its call counts if its id belongs to one call only, or to one open call only, or if only results are
 * between them. Results directly after the call are preferred.
 */
export function pairEarlyResults(
  early: readonly PairedResult[],
  byId: Map<string, CallsById>,
  messages: readonly Message[],
): void {
  if (early.length === 0) return
  const nextOther = nextPositions(messages, ({ role }) => role !== 'tool')
  const onlyOpen = new Map<CallsById, PairedCall | undefined>()
  const paired = new Set<PairedCall>()
  for (const result of early) {
    const sameId = byId.get(result.part.id)
    if (!sameId) continue
    const { all } = sameId
    const [first] = all
    if (all.length > 1 && nextOther(result.position) !== first.step.position) {
      if (!onlyOpen.has(sameId)) onlyOpen.set(sameId, onlyOpenCall(all))
      const open = onlyOpen.get(sameId)
      if (open && isOpen(open) && mayBeOfTool(result, open)) assignResult(result, open)
      continue
    }
    let next = all[sameId.early]
    while (next && !isOpen(next) && all[sameId.early + 1]?.step === first.step) next = all[++sameId.early]
    const call = next && isOpen(next) ? next : first
    assignResult(result, call)
    paired.add(call)
  }
  for (const { step, results } of paired) {
    const end = nextOther(step.position + 1)
    const isFar = ({ position }: PairedResult): number => (position < step.position || position > end ? 1 : 0)
    results.sort((a, b) => isFar(a) - isFar(b) || a.position - b.position)
  }
}

function onlyOpenCall(calls: readonly PairedCall[]): PairedCall | undefined {
  const open = calls.filter(isOpen)
  return open.length === 1 ? open[0] : undefined
}

/**
 * Where ids restart in every turn, a second result of a call that is far from it belongs to another call with the same
 * id: to the only open one before it, to an open one in the step directly after it, or to the only open one later in
 * its turn.
 */
export function reassignSpareResults(byId: Map<string, CallsById>, messages: readonly Message[]): void {
  let nextOther: NextPosition | undefined
  let nextUser: NextPosition | undefined
  for (const { all } of byId.values()) {
    if (all.length < 2 || !all.some(call => call.results.length > 1)) continue
    nextOther ??= nextPositions(messages, ({ role }) => role !== 'tool')
    nextUser ??= nextPositions(messages, ({ role }) => role === 'user')
    const spares: PairedResult[] = []
    for (const call of all) for (const spare of sparesOf(call, nextOther(call.step.position + 1))) spares.push(spare)
    const openCalls = new OpenCalls(all)
    for (const result of spares.sort((a, b) => a.position - b.position)) {
      const call = openCalls.take(result, nextOther(result.position), nextUser(result.position))
      if (call) assignResult(result, call)
    }
    for (const call of all) removeReassigned(call)
  }
}

/** The real results of a call after the first that have different content and are not directly after the call. */
function sparesOf({ results }: PairedCall, end: number): PairedResult[] {
  if (results.length < 2) return []
  const [first, ...others] = results.filter(({ part }) => !isPlaceholder(part))
  return others.filter(({ position, part }) => position >= end && !equal(part.content, first?.part.content))
}

/**
 * The open calls with one id, queried in ascending order of position. Those from `#reached` on come after the last
 * queried position; of these the ones before `#next` are taken.
 */
class OpenCalls {
  readonly #open: readonly PairedCall[]
  readonly #before: PairedCall[] = []
  #reached = 0
  #next = 0

  constructor(calls: readonly PairedCall[]) {
    this.#open = calls.filter(isOpen)
  }

  take(result: PairedResult, nextOther: number, nextUser: number): PairedCall | undefined {
    const open = this.#open
    for (let call = open[this.#reached]; call && call.step.position < result.position; call = open[++this.#reached])
      if (isOpen(call)) this.#before.push(call)
    const [only, second] = this.#before
    if (only && !second && mayBeOfTool(result, only)) return this.#before.pop()
    this.#next = nextOpen(open, Math.max(this.#next, this.#reached))
    const [next, another] = open.slice(this.#next, this.#next + 2)
    if (!next || !mayBeOfTool(result, next)) return undefined
    if (next.step.position === nextOther) return next
    const isFirst = this.#before.length === 0 && this.#next === this.#reached
    return isFirst && next.step.position < nextUser && !(another && another.step.position < nextUser) ? next : undefined
  }
}
