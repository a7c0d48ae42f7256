import type { BaseMessage } from '@langchain/core/messages'
import { unknownSettings } from '../../codecs/shared/envelope.ts'
import type { Resize } from '../../core/media/resize.ts'
import type { Report } from '../../core/report.ts'
import type { Settings } from '../../core/settings.ts'
import { isHealthy } from '../../heal/heal.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { healMessageLimits, joinReports } from '../../heal/request/heal-limits.ts'
import { repairWithin } from '../../heal/segments/repair-segments.ts'
import { notify } from '../fetch/notify.ts'
import { type LangChainOptions, readOptions } from './adapter-options.ts'
import { targetOfModel } from './chat-model-target.ts'

/**
 * The messages as the provider of the model accepts them; the same list if nothing is wrong with it. For graph nodes that call a
 * model directly.
 */
export async function healMessages(
  messages: BaseMessage[],
  { model, ...options }: LangChainOptions & { readonly model?: unknown } = {},
): Promise<BaseMessage[]> {
  const { onRepair, onError, choices, resizer } = readOptions(options)
  try {
    const target = await targetOfModel(model)
    const dialect = choices.for ?? target.dialect
    const reading = { ...choices, ...withModel(target.model), for: dialect }
    const healed = await resizer.run(resize => healList(messages, unknownSettings, reading, resize))
    if (!healed) return messages
    const { changed, repairs, remaining } = healed
    notify(onRepair, { changed, repairs, remaining, dialect, ...withModel(target.model) })
    return healed.messages
  } catch (error) {
    notify(onError, error)
    return messages
  }
}

export interface HealedList extends Report {
  readonly messages: BaseMessage[]
  readonly settings: Settings
}

/** Heals messages together with the settings of the request; undefined if nothing changes. */
export function healList(
  messages: readonly BaseMessage[],
  settings: Settings,
  choices: HealOptions,
  resize: Resize | undefined,
): HealedList | undefined {
  const plan = planFor(messages, { ...choices, format: 'langchain' })
  const isAlone = settings.tools === 'declared' || plan.facts.undeclaredTools === 'accept'
  const within = healMessageLimits(messages, plan, undefined, resize)
  const history = within?.messages ?? messages
  const healed = isAlone && isHealthy(history, plan) ? undefined : repairWithin(history, settings, plan)
  const isRepaired = healed !== undefined && healed.repairs.length > 0
  if (!isRepaired && !within?.changed) return undefined
  const { repairs = [], remaining = [], settings: after = settings } = healed ?? {}
  const now = (isRepaired ? healed.messages : history) as BaseMessage[]
  return { ...joinReports(within, { changed: true, repairs, remaining }), messages: now, settings: after }
}

export const withModel = (model: string | undefined): { model?: string } => (model === undefined ? {} : { model })
