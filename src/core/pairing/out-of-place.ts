import type { Message } from '../conversation.ts'
import { equal } from '../json/equal.ts'
import { isPlaceholder } from '../placeholder.ts'
import { attach, type Bucket, type Call, isOfTool, isOpen, keepOwn, type Result } from './pairs.ts'

/** For each position the first one from it on whose message is meant. */
function nextPositions(messages: readonly Message[], isMeant: (message: Message) => boolean): Int32Array {
  const next = new Int32Array(messages.length + 1).fill(messages.length)
  for (let position = messages.length - 1; position >= 0; position--) {
    next[position] = isMeant(messages[position]) ? position : next[position + 1]
  }
  return next
}

/**
 * A result in front of its call counts if its id is on one call only, or on one that is open, or if nothing but results
 * stands between. What stands in the call's own place comes before it.
 */
export function pairEarly(early: readonly Result[], byId: Map<string, Bucket>, messages: readonly Message[]): void {
  if (early.length === 0) return
  const nextOther = nextPositions(messages, ({ role }) => role !== 'tool')
  const onlyOpen = new Map<Bucket, Call | undefined>()
  const reached = new Set<Call>()
  for (const result of early) {
    const bucket = byId.get(result.part.id)
    if (!bucket) continue
    const { all } = bucket
    const [first] = all
    if (all.length > 1 && nextOther[result.position] !== first.step.position) {
      if (!onlyOpen.has(bucket)) onlyOpen.set(bucket, singleOpen(all))
      const open = onlyOpen.get(bucket)
      if (open && isOpen(open) && isOfTool(result, open)) attach(result, open)
      continue
    }
    while (
      bucket.early + 1 < all.length &&
      all[bucket.early].results.length > 0 &&
      all[bucket.early + 1].step === first.step
    ) {
      bucket.early++
    }
    const call = all[bucket.early].results.length > 0 ? first : all[bucket.early]
    attach(result, call)
    reached.add(call)
  }
  for (const { step, results } of reached) {
    const isAway = ({ position }: Result): number =>
      position < step.position || position > nextOther[step.position + 1] ? 1 : 0
    results.sort((a, b) => isAway(a) - isAway(b) || a.position - b.position)
  }
}

function singleOpen(calls: readonly Call[]): Call | undefined {
  const open = calls.filter(isOpen)
  return open.length === 1 ? open[0] : undefined
}

/**
 * Where ids are counted anew in every turn, a second result of a call, away from it, is that of another call with its id: of the
 * only open one in front of it, of an open one in the step directly behind it, or of the only one that follows in its turn.
 */
export function handOn(byId: Map<string, Bucket>, messages: readonly Message[]): void {
  let nextOther: Int32Array | undefined
  let nextUser: Int32Array | undefined
  for (const { all } of byId.values()) {
    if (all.length < 2 || !all.some(call => call.results.length > 1)) continue
    nextOther ??= nextPositions(messages, ({ role }) => role !== 'tool')
    nextUser ??= nextPositions(messages, ({ role }) => role === 'user')
    const spares = all.flatMap(call => sparesOf(call, nextOther?.[call.step.position + 1] ?? 0))
    const seats = new OpenSeats(all)
    for (const result of spares.sort((a, b) => a.position - b.position)) {
      const call = seats.take(result, nextOther[result.position], nextUser[result.position])
      if (call) attach(result, call)
    }
    for (const call of all) keepOwn(call)
  }
}

/** The real results of a call beside the first that say something else, if they stand beyond its place. */
function sparesOf({ results }: Call, end: number): Result[] {
  if (results.length < 2) return []
  const [first, ...others] = results.filter(({ part }) => !isPlaceholder(part))
  return others.filter(({ position, part }) => position >= end && !equal(part.content, first.part.content))
}

/**
 * The open calls of an id, asked for from the front to the back. Those from `#reached` on stand behind the place that was last
 * asked for; of these the ones before `#next` have been given out.
 */
class OpenSeats {
  readonly #open: readonly Call[]
  readonly #before: Call[] = []
  #reached = 0
  #next = 0

  constructor(calls: readonly Call[]) {
    this.#open = calls.filter(isOpen)
  }

  take(result: Result, nextOther: number, nextUser: number): Call | undefined {
    const open = this.#open
    for (; open[this.#reached]?.step.position < result.position; this.#reached++)
      if (isOpen(open[this.#reached])) this.#before.push(open[this.#reached])
    if (this.#before.length === 1 && isOfTool(result, this.#before[0])) return this.#before.pop()
    this.#next = Math.max(this.#next, this.#reached)
    while (this.#next < open.length && !isOpen(open[this.#next])) this.#next++
    const [next, another] = open.slice(this.#next, this.#next + 2)
    if (!next || !isOfTool(result, next)) return undefined
    if (next.step.position === nextOther) return next
    const isFirst = this.#before.length === 0 && this.#next === this.#reached
    return isFirst && next.step.position < nextUser && !(another?.step.position < nextUser) ? next : undefined
  }
}
