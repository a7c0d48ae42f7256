import type { AgentInputItem } from '@openai/agents'
import type { Facts } from '../../core/dialect.ts'
import type { Report } from '../../core/report.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { repairWithPlan } from '../../heal/repair-with-plan.ts'
import { healMessageLimits, joinReports } from '../../heal/request/heal-limits.ts'
import { asHosted, fromApiItems, toApiItem } from './api-items.ts'

export interface HealedItems extends Report {
  /** The healed items; the same reference if nothing changed. */
  readonly items: AgentInputItem[]
}

/** Heals items of the SDK. Unchanged items are returned as the same objects. */
export function healItems(items: AgentInputItem[], options: HealOptions): HealedItems {
  const shown = new Set(items.map(item => (item?.type === 'shell_call_output' ? item.callId : undefined)))
  const apiItems = items.map(item =>
    isPendingShell(item) && !shown.has(item.callId) ? asHosted(item) : toApiItem(item),
  )
  const plan = planFor(apiItems, { for: 'openai-responses', ...options, format: 'openai-responses' })
  // The SDK may send the items to Chat Completions as well, where a result must directly follow its call. It makes one call of
  // two with the same id, whatever the provider.
  const facts: Facts = { ...plan.facts, lateResults: 'refuse', uniqueIds: 'history' }
  const within = healMessageLimits(apiItems, plan)
  const { messages, ...found } = repairWithPlan(within?.messages ?? apiItems, { ...plan, facts }, undefined)
  const report = joinReports(within, found)
  if (report.changed) options.onRepair?.(report)
  return { ...report, items: report.changed ? fromApiItems(apiItems, messages) : items }
}

/** The SDK treats a shell call that is not completed as one that the provider runs, and leaves it in the history. */
const isPendingShell = (item: AgentInputItem): item is AgentInputItem & { type: 'shell_call' } =>
  item?.type === 'shell_call' && (item.status === undefined || item.status === 'in_progress')
