import { assertChoice } from '../core/assert-options.ts'
import { AntiphonError } from '../core/errors.ts'
import { clearResults } from './clear-results.ts'
import { heal, isHealthy, planByHead } from './heal.ts'
import { type Count, keepNewest, keepNewestOfHealthy, readCuts } from './keep-newest.ts'
import { type HealOptions, type HealPlan, planFor } from './options.ts'

/** One of `maxMessages` and `maxTokens`, and the options of `heal`. */
export interface TrimOptions extends HealOptions {
  /** The maximum number of messages, including system messages. */
  readonly maxMessages?: number
  /** The maximum number of tokens, as counted by `count`. */
  readonly maxTokens?: number
  /**
   * The tokens of one message, called once for each message that matters. By default a quarter of the characters of its
   * JSON.
   */
  readonly count?: (message: unknown) => number
  /**
   * `clear`: instead of removing messages, the content of the oldest tool results is replaced by a short text. Every call and result
   * stays. If that is not enough, the history exceeds the limit. Needs `maxTokens`.
   */
  readonly results?: 'clear'
  /** With `results: 'clear'`: how many of the newest results keep their content. By default 3. */
  readonly keepResults?: number
  /** Called if something was cleared or removed. */
  readonly onTrim?: (report: TrimReport) => void
}

/** What `trim` did to a history, after healing it. */
export interface TrimReport {
  /** The number of results that were cleared. */
  readonly cleared: number
  /** The number of messages that were removed. */
  readonly removed: number
  /** The size of the result: messages or tokens, as the limit counts them. */
  readonly size: number
  /**
   * The share of the history, from 0 to 1 and counted in the same way, that comes before the first change. A provider that cached the
   * history as a prompt prefix finds this share again.
   */
  readonly prefixKept: number
}

/**
 * Shortens a history to a limit so that its provider accepts it. The history is healed first, as by `heal`. The same
 * reference is returned if nothing is broken and nothing has to be cut.
 *
 * The system messages at the beginning stay. Of the rest the newest turns stay, as many as fit, starting with a user
 * message. The cut moves only when they no longer fit, so the prompt cache of the provider stays warm in between. If the
 * last turn alone is too long, the user message that opened it stays, with as many of its newest steps as fit. If that is
 * too long too, as many steps as fit without that message, if the provider accepts that. A call is never separated from
 * its results, its reasoning or its approval.
 *
 * If nothing fits, the smallest part that the provider accepts is returned, although it exceeds the limit: an empty
 * request would be worse.
 *
 * With `results: 'clear'` no message is removed: the oldest results are cleared, in groups, so that the beginning of a growing
 * history stays the same between two clearings.
 */
export function trim<History>(history: History, options: TrimOptions): History {
  const { max, count } = limitOf(options)
  const keepResults = clearingOf(options)
  const { plan, sound } = planHealthy(history, options)
  if (!Array.isArray(history) || plan.unreadable !== undefined) return history
  const healed: readonly unknown[] = sound ? history : heal(history, options)
  if (options.maxMessages !== undefined && healed.length <= max) return healed as History
  const keep = sound ? keepNewestOfHealthy : keepNewest
  const { history: trimmed, cleared } =
    keepResults === undefined
      ? { history: keep(healed, plan, max, count), cleared: 0 }
      : clearResults(healed, plan, { max, count, keepResults })
  if (options.onTrim && trimmed !== healed) options.onTrim({ cleared, ...compare(healed, trimmed, count) })
  return trimmed as History
}

/** The plan, and whether nothing in the history is doubtful: then the first messages of a long one decide its format, as in `heal`. */
function planHealthy(history: unknown, options: HealOptions): { readonly plan: HealPlan; readonly sound: boolean } {
  const byHead = planByHead(history, options)
  if (byHead && isHealthy(history as unknown[], byHead)) return { plan: byHead, sound: true }
  const plan = planFor(history, options)
  return { plan, sound: plan.unreadable === undefined && Array.isArray(history) && isHealthy(history, plan) }
}

function compare(before: readonly unknown[], after: readonly unknown[], count: Count): Omit<TrimReport, 'cleared'> {
  const sizeOf = (messages: readonly unknown[]): number => messages.reduce((sum: number, one) => sum + count(one), 0)
  const changed = before.findIndex((message, index) => message !== after[index])
  const prefix = changed < 0 ? before : before.slice(0, changed)
  const whole = sizeOf(before)
  return {
    removed: before.length - after.length,
    size: sizeOf(after),
    prefixKept: whole > 0 && Number.isFinite(whole) ? sizeOf(prefix) / whole : 0,
  }
}

/**
 * Every index where a history can be cut safely: the messages from there on, after the system messages at the
 * beginning, have only whole steps and begin as the provider requires. The history is not healed first: a cut adds no
 * new defect.
 */
export function cutPoints(history: unknown, options: HealOptions = {}): number[] {
  const plan = planFor(history, options)
  const { safe, place } = readCuts(history, plan)
  return safe.map(place)
}

/** The limit and the counter. Throws on invalid options. */
function limitOf(options: TrimOptions): { max: number; count: Count } {
  const { maxMessages, maxTokens, count = estimate } = options
  const max = maxMessages ?? maxTokens
  if (max === undefined || (maxMessages !== undefined && maxTokens !== undefined))
    throw new AntiphonError('bad-limit', 'trim needs exactly one limit', {
      hint: 'give one of: maxMessages, maxTokens',
    })
  if (!Number.isInteger(max) || max < 1)
    throw new AntiphonError(
      'bad-limit',
      `${maxMessages === undefined ? 'maxTokens' : 'maxMessages'} must be a positive integer, got ${max}`,
      {
        hint: 'give an integer of at least 1',
      },
    )
  if (maxMessages !== undefined) return { max, count: () => 1 }
  return {
    max,
    count: message => {
      const tokens = count(message)
      if (typeof tokens === 'number' && tokens >= 0) return tokens
      throw new AntiphonError('bad-count', `count returned ${tokens} for a message`, {
        hint: 'return a number of at least 0',
      })
    },
  }
}

/** How many results keep their content; undefined if none is cleared. Throws on invalid options. */
function clearingOf({ results, keepResults, maxTokens }: TrimOptions): number | undefined {
  if (results === undefined) {
    if (keepResults === undefined) return undefined
    throw new AntiphonError('wrong-option', 'keepResults is only used with results: "clear"', {
      hint: 'add results: "clear", or leave keepResults out',
    })
  }
  assertChoice('results', results, ['clear'])
  if (maxTokens === undefined)
    throw new AntiphonError('bad-limit', 'results: "clear" needs maxTokens', {
      hint: 'pass maxTokens instead of maxMessages: clearing results does not reduce the number of messages',
    })
  const kept = keepResults ?? keepResultsDefault
  if (!Number.isInteger(kept) || kept < 0)
    throw new AntiphonError('bad-limit', `keepResults must be an integer of at least 0, got ${kept}`, {
      hint: 'use 0 to clear all results, or omit it for 3',
    })
  return kept
}

const keepResultsDefault = 3

/** A quarter of the characters of its JSON. A message that cannot be serialised cannot be sent, so it fits nowhere. */
function estimate(message: unknown): number {
  try {
    return Math.ceil((JSON.stringify(message) ?? '').length / 4)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
