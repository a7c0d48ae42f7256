import { RuleContext } from '../core/rules/rule.ts'
import { decodeHistory } from './heal.ts'
import { type HealOptions, planFor } from './options.ts'

/** The number of calls and results in a history, and of those without a counterpart. */
export interface CallCounts {
  readonly calls: number
  readonly results: number
  /** Results that answer no call. */
  readonly orphans: number
  /** Calls without a result, except those that may stay open according to the options. */
  readonly unanswered: number
}

/** Counts calls that the client runs, not those that a provider runs itself. Changes nothing. */
export function countCalls(history: unknown, options: HealOptions = {}): CallCounts {
  const plan = planFor(history, options)
  const context = new RuleContext(decodeHistory(history, plan), plan)
  const { calls, results } = context.pairing
  const { waiting, choices } = context
  const mayStayOpen = (id: string): boolean => choices.pending === 'keep' && choices.pendingCalls.has(id)
  return {
    calls: calls.length,
    results: results.length,
    orphans: context.continues ? 0 : results.filter(({ call, message }) => !call && message.role === 'tool').length,
    unanswered: calls.filter(
      call => !call.answer && !call.part.providerRun && !waiting.has(call) && !mayStayOpen(call.part.id),
    ).length,
  }
}
