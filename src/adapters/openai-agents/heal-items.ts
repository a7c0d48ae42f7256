import type { AgentInputItem } from '@openai/agents'
import { repair } from '../../heal.ts'
import type { HealOptions } from '../../options.ts'
import type { Report } from '../../report.ts'
import { asHosted, fromWire, toWire } from './wire-items.ts'

export interface HealedItems extends Report {
  /** The items as they can be sent: the same reference if nothing changed. */
  readonly items: AgentInputItem[]
}

/** Heals items of the SDK. What is not broken comes back as the very same objects. */
export function healItems(items: AgentInputItem[], options: HealOptions): HealedItems {
  const shown = new Set(items.map(item => (item?.type === 'shell_call_output' ? item.callId : undefined)))
  const wire = items.map(item => (isPendingShell(item) && !shown.has(item.callId) ? asHosted(item) : toWire(item)))
  const { messages, ...report } = repair(wire, { for: 'openai-responses', ...options, format: 'openai-responses' })
  return { ...report, items: report.changed ? fromWire(wire, messages) : items }
}

/** The SDK takes a shell call that is not completed for one that runs at the provider, and lets it stand. */
const isPendingShell = (item: AgentInputItem): item is AgentInputItem & { type: 'shell_call' } =>
  item?.type === 'shell_call' && (item.status === undefined || item.status === 'in_progress')
