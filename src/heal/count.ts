import { RuleContext } from '../core/rules/rule.ts'
import { read } from './heal.ts'
import { type HealOptions, planFor } from './options.ts'

/** How many calls and results a history has, and how many of them lack the other half. */
export interface Counts {
  readonly calls: number
  readonly results: number
  /** Results that answer no call. */
  readonly orphans: number
  /** Calls without a result, but for those that the options say may wait. */
  readonly unanswered: number
}

/** Counts what the client runs; calls that a provider runs itself are its own affair. Changes nothing. */
export function count(history: unknown, options: HealOptions = {}): Counts {
  const plan = planFor(history, options)
  const scene = new RuleContext(read(history, plan), plan)
  const { calls, results } = scene.pairing
  const { waiting, choices } = scene
  const mayWait = (id: string): boolean => choices.pending === 'keep' && choices.pendingCalls.has(id)
  return {
    calls: calls.length,
    results: results.length,
    orphans: scene.continues ? 0 : results.filter(({ call, message }) => !call && message.role === 'tool').length,
    unanswered: calls.filter(call => !call.answer && !call.part.hosted && !waiting.has(call) && !mayWait(call.part.id))
      .length,
  }
}
