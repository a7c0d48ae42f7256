import { type CutPoints, findCutPoints } from '../core/cut-points.ts'
import { AntiphonError } from '../core/errors.ts'
import { RuleContext } from '../core/rules/rule.ts'
import { heal, read } from './heal.ts'
import { type HealOptions, type Plan, planFor } from './options.ts'

/** One of `maxMessages` and `maxTokens`, and what `heal` takes. */
export interface TrimOptions extends HealOptions {
  /** How many messages may stay, those of the system included. */
  readonly maxMessages?: number
  /** How many tokens may stay, as `count` counts them. */
  readonly maxTokens?: number
  /** The tokens of one message, asked once for each message that matters. By default a quarter of the characters of its JSON. */
  readonly count?: (message: unknown) => number
}

/**
 * A history within a limit, as its reader takes it. It is healed first, as `heal` does it, since a cut is made before
 * sending: whatever is kept is whole. The same reference comes back if nothing is broken and nothing has to go.
 *
 * The system messages at the beginning stay. Of the rest the newest turns stay, as many as fit, from a user's message
 * on; the cut moves only when they no longer fit, which keeps a provider's prompt cache warm in between. If the last turn
 * alone is too long, the words of the user that opened it stay, with as many of its newest steps as fit; if that is too
 * long as well, as much as fits without those words, where the reader takes that. A call is never separated from its
 * results, its reasoning or its approval.
 *
 * If nothing fits, the smallest part that the reader takes is kept, though it is over the limit: an empty request would
 * be worse.
 */
export function trim<History>(history: History, options: TrimOptions): History {
  const { max, count } = limitOf(options)
  const plan = planFor(history, options)
  const healed: unknown = heal(history, options)
  if (!Array.isArray(healed) || plan.foreign !== undefined) return history
  if (options.maxMessages !== undefined && healed.length <= max) return healed as History
  return keep(healed, plan, max, count) as History
}

/**
 * Every index at which a history can be cut without harm: what stands from there on, behind the system messages at the
 * beginning, has whole steps only and begins as its reader wants it. It is not healed: a cut just breaks nothing more.
 */
export function cutPoints(history: unknown, options: HealOptions = {}): number[] {
  const plan = planFor(history, options)
  const { safe, place } = readCuts(history, plan)
  return safe.map(place)
}

interface Read extends CutPoints, Pick<RuleContext, 'messages'> {
  /** Where a message begins on the wire: what stands beside the conversation goes with the message behind it. */
  place(position: number): number
}

function readCuts(history: unknown, plan: Plan): Read {
  const conversation = read(history, plan)
  const scene = new RuleContext(conversation, plan)
  const { messages } = scene
  const asides = new Set(conversation.asides)
  const place = (position: number): number => {
    let index = messages[position]?.origin ?? (history as readonly unknown[]).length
    while (asides.has(index - 1)) index--
    return index
  }
  return { ...findCutPoints(scene, plan.continues), messages, place }
}

/** The largest part that fits, or the smallest there is. Each list is tried from its end, where the parts are small. */
function keep(history: readonly unknown[], plan: Plan, max: number, count: Count): readonly unknown[] {
  const { messages, place, lead, safe, turns, opening, steps } = readCuts(history, plan)
  const costs = new Costs(history, count)
  const partsBehind = (kept: readonly number[]) => {
    const cost = costs.of(kept)
    return (position: number): Part => ({ kept, from: place(position), cost: cost + costs.from(place(position)) })
  }
  const system = messages.slice(0, lead).map(({ origin }) => origin as number)
  const behindSystem = partsBehind(system)
  const turn = largest(turns, behindSystem, max)
  const isOldest = turn ? turn.from === place(turns[0]) : turns.length === 0
  if (isOldest && costs.from(0) <= max) return history
  const behindOpening = partsBehind(opening ? [...system, ...range(place(opening.from), place(opening.to))] : [])
  const part =
    turn ??
    largest(steps, behindOpening, max) ??
    largest(safe, behindSystem, max) ??
    smaller(steps.slice(-1).map(behindOpening)[0], safe.slice(-1).map(behindSystem)[0])
  return part ? [...part.kept.map(index => history[index]), ...history.slice(part.from)] : history
}

/** The messages of some indexes, and all from another on. */
interface Part {
  readonly kept: readonly number[]
  readonly from: number
  readonly cost: number
}

function largest(positions: readonly number[], partFrom: (position: number) => Part, max: number): Part | undefined {
  let best: Part | undefined
  for (let index = positions.length - 1; index >= 0; index--) {
    const part = partFrom(positions[index])
    if (part.cost > max) break
    best = part
  }
  return best
}

const smaller = (one: Part | undefined, other: Part | undefined): Part | undefined =>
  one && other ? (other.cost < one.cost ? other : one) : (one ?? other)

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)

type Count = (message: unknown) => number

/** What messages cost, each counted once and only if it is asked for. */
class Costs {
  readonly #history: readonly unknown[]
  readonly #count: Count
  /** By index; -1 where nobody has asked. */
  readonly #each: Float64Array
  /** What the last messages cost together: none, one, two, ... */
  readonly #tails = [0]

  constructor(history: readonly unknown[], count: Count) {
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
      this.#tails.push(this.#tails[known - 1] + this.#at(this.#history.length - known))
    }
    return this.#tails[length]
  }

  #at(index: number): number {
    if (this.#each[index] < 0) this.#each[index] = this.#count(this.#history[index])
    return this.#each[index]
  }
}

/** The limit and how it is counted. Throws on what is no limit: a caller's own mistake. */
function limitOf(options: TrimOptions): { max: number; count: Count } {
  const { maxMessages, maxTokens, count = estimate } = options
  const max = maxMessages ?? maxTokens
  if (max === undefined || (maxMessages !== undefined && maxTokens !== undefined))
    throw new AntiphonError('bad-limit', 'a history is trimmed to either messages or tokens', {
      hint: 'give one of: maxMessages, maxTokens',
    })
  if (!Number.isInteger(max) || max < 1)
    throw new AntiphonError('bad-limit', `${max} is no number of messages or tokens`, {
      hint: 'give a whole number from 1 on',
    })
  if (maxMessages !== undefined) return { max, count: () => 1 }
  return {
    max,
    count: message => {
      const tokens = count(message)
      if (typeof tokens === 'number' && tokens >= 0) return tokens
      throw new AntiphonError('bad-count', `count gave ${tokens} for a message`, {
        hint: 'it must give a number from 0 on',
      })
    },
  }
}

/** A quarter of the characters of its JSON. What cannot be written as JSON cannot be sent, and fits nowhere. */
function estimate(message: unknown): number {
  try {
    return Math.ceil((JSON.stringify(message) ?? '').length / 4)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
