import { type Pieces, wordsOf } from '../codecs/shared/pieces.ts'
import { piecesOf } from '../codecs/shared/pieces-of.ts'
import {
  type Conversation,
  callKindsWithoutText,
  type Message,
  type ResultPart,
  resultOf,
} from '../core/conversation.ts'
import { decodeHistory } from './heal.ts'
import type { HealPlan } from './options.ts'

/** How a history is measured, and how small it should become. */
export interface ClearLimit {
  readonly max: number
  /** The number of newest results that are never cleared. */
  readonly keepResults: number
  readonly count: (message: unknown) => number
}

export interface ClearedHistory {
  readonly history: readonly unknown[]
  /** The number of results that were cleared. */
  readonly cleared: number
}

/**
 * Replaces the content of the oldest results by a short text until the history fits. Calls, results and their order stay.
 *
 * Results are cleared in groups that each free at least a quarter of the limit. Where a group ends depends only on the results before
 * that place, and as few groups as possible are cleared. So a growing history keeps its beginning until the next group has to be
 * cleared, and then has room again. If clearing all whole groups is not enough, every clearable result is cleared.
 */
export function clearResults(history: readonly unknown[], plan: HealPlan, limit: ClearLimit): ClearedHistory {
  const { max, keepResults, count } = limit
  const costs = history.map(count)
  const total = sum(costs)
  const unchanged = { history, cleared: 0 }
  if (total <= max) return unchanged
  const decoded = decodeHistory(history, plan)
  const results = clearableResults(decoded, piecesOf(plan.codec), keepResults)
  if (results.length === 0) return unchanged
  const clear = (number: number): readonly unknown[] =>
    plan.codec.encode(withCleared(decoded, results.slice(0, number)), decoded, history)
  const all = clear(results.length)
  // Only the content of results changes, so that every message keeps its place.
  if (all.length !== history.length) return unchanged
  const costOf = (index: number): number => costs[index] ?? 0
  const freed = freedBy(results, origin => costOf(origin) - count(all[origin]))
  let rest = total
  let from = 0
  for (const end of groupEnds(results, max / 4)) {
    for (const share of freed.slice(from, end)) rest -= share
    from = end
    if (rest > max) continue
    const cleared = clear(end)
    // Costs need not be additive: what counts is the history itself.
    if (sum(cleared.map((message, index) => (message === history[index] ? costOf(index) : count(message)))) <= max)
      return { history: cleared, cleared: end }
  }
  return { history: all, cleared: results.length }
}

interface ClearableResult {
  readonly message: Message
  readonly cleared: ResultPart
  /** The number of characters that clearing it saves. */
  readonly saved: number
  readonly origin: number
}

/** The results whose content is longer than the text that replaces it, without the newest ones. In order. */
function clearableResults({ messages }: Conversation, pieces: Pieces, keepResults: number): ClearableResult[] {
  const results = messages.filter(message => resultOf(message)?.by === 'client')
  return results.slice(0, Math.max(0, results.length - keepResults)).flatMap(message => {
    const { copy: _, sendable: __, malformed: ___, ...part } = resultOf(message) as ResultPart
    const { origin } = message
    if (origin === undefined || part.denied || callKindsWithoutText.has(part.callKind)) return []
    const words = wordsOf(pieces.readResult(part.content, part.raw))
    if (clearedText.test(words)) return []
    const size = sizeOf(part.content)
    const text = `[result cleared to save space: ${size} characters]`
    const saved = size - text.length
    if (saved <= 0) return []
    const content = pieces.writeResult([{ kind: 'text', text }])
    return [{ message, cleared: { ...part, content }, saved, origin }]
  })
}

/** Matches the text that is written here, and the one that the repair of a rejected history writes. */
const clearedText = /^\[result (?:cleared|removed) to save space: \d{1,15} characters\]$/

function sizeOf(content: unknown): number {
  if (typeof content === 'string') return content.length
  try {
    return (JSON.stringify(content) ?? '').length
  } catch {
    return 0
  }
}

function withCleared({ messages }: Conversation, results: readonly ClearableResult[]): Message[] {
  const cleared = new Map(results.map(({ message, cleared }) => [message, { ...message, parts: [cleared] }]))
  return messages.map(message => cleared.get(message) ?? message)
}

/** How much each result frees: a share of what its source message frees, which may hold several results. */
function freedBy(results: readonly ClearableResult[], freedIn: (origin: number) => number): number[] {
  const saved = new Map<number, number>()
  for (const result of results) saved.set(result.origin, (saved.get(result.origin) ?? 0) + result.saved)
  const freed = new Map([...saved.keys()].map(origin => [origin, freedIn(origin)]))
  return results.map(({ origin, saved: own }) => ((freed.get(origin) ?? 0) * own) / (saved.get(origin) ?? own))
}

/** The ends of groups of results. Each group saves at least so many tokens, estimated as four characters each. */
function groupEnds(results: readonly ClearableResult[], tokens: number): number[] {
  const ends: number[] = []
  let saved = 0
  for (const [index, result] of results.entries()) {
    saved += result.saved / 4
    if (saved < tokens) continue
    ends.push(index + 1)
    saved = 0
  }
  return ends
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
