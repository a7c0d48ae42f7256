import { rulesFor } from '../core/rules/check.ts'
import type { Rule, RuleContext } from '../core/rules/rule.ts'

/** Where a conversation starts to be broken. */
export interface BrokenSince {
  /** The turn, from 1: the number of user messages up to there. */
  readonly turn: number
  readonly at: string
}

/**
 * The place of the first error of a conversation; undefined if there is none. `turns` is the number of turns before it.
 */
export function brokenSince(context: RuleContext, rules: readonly Rule[], turns = 0): BrokenSince | undefined {
  const places = new Map(context.messages.map(({ key }, position) => [key, position]))
  let first = Number.POSITIVE_INFINITY
  let at = ''
  for (const rule of rulesFor(context, rules)) {
    if (rule.severity !== 'error') continue
    rule.check(context, ({ message, part }) => {
      const position = message ? (places.get(message.key) ?? 0) : 0
      if (position >= first) return
      first = position
      at = message ? context.format.locate(message, part) : ''
    })
  }
  if (first === Number.POSITIVE_INFINITY) return undefined
  const spoken = context.messages.slice(0, first + 1).filter(({ role }) => role === 'user').length
  return { turn: Math.max(turns + spoken, 1), at }
}
