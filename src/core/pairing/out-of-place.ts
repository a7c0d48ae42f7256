import type { Message } from '../conversation.ts'
import { equal } from '../json/equal.ts'
import { isPlaceholder } from '../placeholder.ts'
import {
  assignResult,
  type CallsById,
  isOpen,
  mayBeOfTool,
  type PairedCall,
  type PairedResult,
  removeReassigned,
} from './paired-calls.ts'

/** For each position, the first position from it on whose message matches. */
function nextPositions(messages: readonly Message[], matches: (message: Message) => boolean): Int32Array {
  const next = new Int32Array(messages.length + 1).fill(messages.length)
  for (let position = messages.length - 1; position >= 0; position--) {
    next[position] = matches(messages[position]) ? position : next[position + 1]
  }
  return next
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
    if (all.length > 1 && nextOther[result.position] !== first.step.position) {
      if (!onlyOpen.has(sameId)) onlyOpen.set(sameId, onlyOpenCall(all))
      const open = onlyOpen.get(sameId)
      if (open && isOpen(open) && mayBeOfTool(result, open)) assignResult(result, open)
      continue
    }
    while (
      sameId.early + 1 < all.length &&
      all[sameId.early].results.length > 0 &&
      all[sameId.early + 1].step === first.step
    ) {
      sameId.early++
    }
    const call = all[sameId.early].results.length > 0 ? first : all[sameId.early]
    assignResult(result, call)
    paired.add(call)
  }
  for (const { step, results } of paired) {
    const isFar = ({ position }: PairedResult): number =>
      position < step.position || position > nextOther[step.position + 1] ? 1 : 0
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
  let nextOther: Int32Array | undefined
  let nextUser: Int32Array | undefined
  for (const { all } of byId.values()) {
    if (all.length < 2 || !all.some(call => call.results.length > 1)) continue
    nextOther ??= nextPositions(messages, ({ role }) => role !== 'tool')
    nextUser ??= nextPositions(messages, ({ role }) => role === 'user')
    const spares = all.flatMap(call => sparesOf(call, nextOther?.[call.step.position + 1] ?? 0))
    const openCalls = new OpenCalls(all)
    for (const result of spares.sort((a, b) => a.position - b.position)) {
      const call = openCalls.take(result, nextOther[result.position], nextUser[result.position])
      if (call) assignResult(result, call)
    }
    for (const call of all) removeReassigned(call)
  }
}

/** The real results of a call after the first that have different content and are not directly after the call. */
function sparesOf({ results }: PairedCall, end: number): PairedResult[] {
  if (results.length < 2) return []
  const [first, ...others] = results.filter(({ part }) => !isPlaceholder(part))
  return others.filter(({ position, part }) => position >= end && !equal(part.content, first.part.content))
}

/**
 * The open calls with one id, queried in ascending order of position. Those from `#reached` on come after the last
 * queried position; of these the ones before `#next` are taken.
 */
class OpenCalls {
  readonly #open: readonly PairedCall[]
  readonly #before: PairedCall[] = []
  #paired = 0
  #next = 0

  constructor(calls: readonly PairedCall[]) {
    this.#open = calls.filter(isOpen)
  }

  take(result: PairedResult, nextOther: number, nextUser: number): PairedCall | undefined {
    const open = this.#open
    for (; open[this.#paired]?.step.position < result.position; this.#paired++)
      if (isOpen(open[this.#paired])) this.#before.push(open[this.#paired])
    if (this.#before.length === 1 && mayBeOfTool(result, this.#before[0])) return this.#before.pop()
    this.#next = Math.max(this.#next, this.#paired)
    while (this.#next < open.length && !isOpen(open[this.#next])) this.#next++
    const [next, another] = open.slice(this.#next, this.#next + 2)
    if (!next || !mayBeOfTool(result, next)) return undefined
    if (next.step.position === nextOther) return next
    const isFirst = this.#before.length === 0 && this.#next === this.#paired
    return isFirst && next.step.position < nextUser && !(another?.step.position < nextUser) ? next : undefined
  }
}
