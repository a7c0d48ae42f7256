import { rulesFor } from '../core/rules/check.ts'
import type { Rule, RuleContext } from '../core/rules/rule.ts'

/** From where on a conversation is broken. */
export interface Since {
  /** The turn, from 1: how often the user had spoken by then. */
  readonly turn: number
  readonly at: string
}

/** Where the first error of a conversation stands; undefined if there is none. `turns` is how many turns stand in front of it. */
export function since(scene: RuleContext, rules: readonly Rule[], turns = 0): Since | undefined {
  const places = new Map(scene.messages.map(({ key }, position) => [key, position]))
  let first = Number.POSITIVE_INFINITY
  let at = ''
  for (const rule of rulesFor(scene, rules)) {
    if (rule.severity !== 'error') continue
    rule.check(scene, ({ message, part }) => {
      const position = message ? (places.get(message.key) ?? 0) : 0
      if (position >= first) return
      first = position
      at = message ? scene.format.locate(message, part) : ''
    })
  }
  if (first === Number.POSITIVE_INFINITY) return undefined
  const spoken = scene.messages.slice(0, first + 1).filter(({ role }) => role === 'user').length
  return { turn: Math.max(turns + spoken, 1), at }
}
