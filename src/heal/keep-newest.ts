import type { Codec } from '../codecs/codec.ts'
import type { Conversation } from '../core/conversation.ts'
import { type CutPoints, findCutPoints } from '../core/cut-points.ts'
import { RuleContext } from '../core/rules/rule.ts'
import { decodeHistory } from './heal.ts'
import type { HealPlan } from './options.ts'
import type { Segment } from './segments/scan-segments.ts'

export type Count = (message: unknown) => number

type History = readonly unknown[]

/** The largest part of a history that fits, or else the smallest that the provider accepts. */
export function keepNewest(history: History, plan: HealPlan, max: number, count: Count): History {
  return keepPart(history, plan, max, new Costs(history, count))
}

/**
 * The same for a history in which nothing is doubtful. Where the assistant has closed a turn and the user opens the next, nothing
 * refers to anything before, so only the turns around the limit, the first and the last are read.
 */
export function keepNewestOfHealthy(history: History, plan: HealPlan, max: number, count: Count): History {
  const costs = new Costs(history, count)
  const near = plan.continues ? undefined : turnsAround(history, plan, costs, max)
  if (!near) return costs.from(0) <= max ? history : keepPart(history, plan, max, costs)
  const conversation = decodeSegments(history, plan, near.segments)
  const part = conversation && choosePart(cutsOf(conversation, history, plan), costs, max)
  // A later cut could be in a turn that was not read.
  return part && part.from <= near.fits ? write(part, history) : keepPart(history, plan, max, costs)
}

function keepPart(history: History, plan: HealPlan, max: number, costs: Costs): History {
  const cuts = readCuts(history, plan)
  const part = choosePart(cuts, costs, max)
  const [oldest] = cuts.turns
  const isOldest = oldest === undefined || part?.from === cuts.place(oldest)
  return part && !(isOldest && costs.from(0) <= max) ? write(part, history) : history
}

interface CutHistory extends CutPoints, Pick<RuleContext, 'messages'> {
  /** The index of the source message. Messages that are not part of the conversation belong to the message after them. */
  place(position: number): number
}

export const readCuts = (history: unknown, plan: HealPlan): CutHistory =>
  cutsOf(decodeHistory(history, plan), history as History, plan)

function cutsOf(conversation: Conversation, history: History, plan: HealPlan): CutHistory {
  const context = new RuleContext(conversation, plan)
  const { messages } = context
  const place = (position: number): number => {
    let index = messages[position]?.origin ?? history.length
    while (index > 0 && plan.codec.isAside?.(history[index - 1])) index--
    return index
  }
  return { ...findCutPoints(context, plan.continues), messages, place }
}

/** The turns that decide where a history is cut, and where the first turn begins that may fit. */
interface DecidingTurns {
  readonly segments: readonly Segment[]
  readonly fits: number
}

function turnsAround(history: History, plan: HealPlan, costs: Costs, max: number): DecidingTurns | undefined {
  const first = { from: 0, to: endOfFirstTurn(history, plan.codec) }
  const rest = max - costs.of(leadingSystem(cutsOf(plan.codec.decode(history, 0, first.to), history, plan)))
  let last = history.length
  let fits = history.length
  let next = history.length
  for (const turn of turnsFromEnd(history, plan.codec)) {
    if (fits === history.length) last = turn
    if (costs.from(turn) > rest) {
      const ends = { from: Math.max(last, next), to: history.length }
      return { segments: [first, { from: turn, to: next }, ends], fits }
    }
    next = fits
    fits = turn
  }
  return undefined
}

function endOfFirstTurn(history: History, codec: Codec): number {
  let last: unknown
  return Math.max(
    0,
    history.findIndex(message => {
      if (codec.opensTurn(message) && codec.closesTurn(last)) return true
      if (!codec.isAside?.(message)) last = message
      return false
    }),
  )
}

/** Where turns begin that follow a closed one, from the last to the second. */
function* turnsFromEnd(history: History, codec: Codec): Generator<number> {
  let opening: number | undefined
  for (let index = history.length - 1; index >= 0; index--) {
    const message = history[index]
    if (codec.isAside?.(message)) continue
    if (opening !== undefined && codec.closesTurn(message)) yield opening
    opening = codec.opensTurn(message) ? index : undefined
  }
}

/** The messages of several segments; undefined if the provider stores a part of the conversation. */
function decodeSegments(history: History, { codec }: HealPlan, segments: readonly Segment[]): Conversation | undefined {
  const { format } = codec
  const messages: Conversation['messages'][number][] = []
  for (const { from, to } of segments) {
    const decoded = codec.decode(history, from, to, messages.length)
    if (decoded.continues) return undefined
    for (const message of decoded.messages) messages.push(message)
  }
  return { format, messages, continues: false }
}

/** The messages at some indexes, and all from another index on. */
interface Part {
  readonly kept: readonly number[]
  readonly from: number
  readonly cost: number
}

const write = ({ kept, from }: Part, history: History): History => [
  ...kept.map(index => history[index]),
  ...history.slice(from),
]

const leadingSystem = ({ messages, lead }: CutHistory): number[] =>
  messages.slice(0, lead).map(({ origin }) => origin as number)

/** The largest part that fits, or else the smallest. Each list is tried from its end, where the parts are small. */
function choosePart(cuts: CutHistory, costs: Costs, max: number): Part | undefined {
  const { place, safe, turns, opening, steps } = cuts
  const partsAfter = (kept: readonly number[]) => {
    const cost = costs.of(kept)
    return (position: number): Part => ({ kept, from: place(position), cost: cost + costs.from(place(position)) })
  }
  const system = leadingSystem(cuts)
  const afterSystem = partsAfter(system)
  const afterOpening = partsAfter(opening ? [...system, ...range(place(opening.from), place(opening.to))] : [])
  return (
    largest(turns, afterSystem, max) ??
    largest(steps, afterOpening, max) ??
    largest(safe, afterSystem, max) ??
    smaller(steps.slice(-1).map(afterOpening)[0], safe.slice(-1).map(afterSystem)[0])
  )
}

function largest(positions: readonly number[], partFrom: (position: number) => Part, max: number): Part | undefined {
  let best: Part | undefined
  for (const position of [...positions].reverse()) {
    const part = partFrom(position)
    if (part.cost > max) break
    best = part
  }
  return best
}

const smaller = (one: Part | undefined, other: Part | undefined): Part | undefined =>
  one && other ? (other.cost < one.cost ? other : one) : (one ?? other)

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)

/** The costs of messages, each counted once and only if needed. */
class Costs {
  readonly #history: History
  readonly #count: Count
  /** By index; -1 where not counted yet. */
  readonly #each: Float64Array
  /** Suffix sums: the cost of the last n messages, at index n. */
  readonly #tails = [0]

  constructor(history: History, count: Count) {
    this.#history = history
    this.#count = count
    this.#each = new Float64Array(history.length).fill(-1)
  }

  of(indexes: readonly number[]): number {
    return indexes.reduce((sum, index) => sum + this.#at(index), 0)
  }

  from(index: number): number {
    const length = this.#history.length - index
    while (this.#tails.length <= length) {
      const known = this.#tails.length
      this.#tails.push((this.#tails.at(-1) ?? 0) + this.#at(this.#history.length - known))
    }
    return this.#tails[length] ?? 0
  }

  #at(index: number): number {
    const known = this.#each[index] ?? -1
    if (known >= 0) return known
    const cost = this.#count(this.#history[index])
    this.#each[index] = cost
    return cost
  }
}
