import type { AgentInputItem, CallModelInputFilter, ModelInputData } from '@openai/agents'
import { isRecord } from '../../core/conversation.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'
import { type HealedItems, healItems } from './heal-items.ts'

export interface HealInputFilterOptions extends Omit<HealOptions, 'format'> {
  /** Hears why the input went out as it was although it might have needed healing. By default it is a warning of the process. */
  readonly onError?: (error: unknown) => void
}

/**
 * A `callModelInputFilter` that heals what goes to the model. A healthy input goes on as the very same object. No run
 * fails because of it: if healing does, the original goes on.
 */
export function healInputFilter(options: HealInputFilterOptions = {}): CallModelInputFilter {
  const { onError = warn, onRepair = warnOfLoss, ...choices } = options
  // A name that does not exist is told to whoever wrote it, not at the first run.
  planFor([], choices)
  const filter: CallModelInputFilter = ({ modelData, agent: { model } }) => {
    try {
      const known = { continues: isContinued(modelData.input), ...(typeof model === 'string' && { model }) }
      const { data, report } = heal(modelData, { ...known, ...choices })
      if (report.changed) notify(onRepair, report)
      return data
    } catch (error) {
      notify(onError, error)
      return modelData
    }
  }
  // Nothing is changed in place, so that nothing has to be copied.
  filter.preserveInputIdentity = true
  return filter
}

/** The instructions are a system message to most readers: where one may stand decides what becomes of another. */
function heal(
  data: ModelInputData,
  options: HealOptions,
): { data: ModelInputData; report: Omit<HealedItems, 'items'> } {
  const { input, instructions } = data
  const system: AgentInputItem | undefined =
    instructions && input.some(item => roleOf(item) === 'system')
      ? { role: 'system', content: instructions }
      : undefined
  const { items, ...report } = healItems(system ? [system, ...input] : input, options)
  if (!report.changed) return { data, report }
  if (!system) return { data: { ...data, input: items }, report }
  const [first, ...rest] = items
  const words = wordsOf(first)
  return words === undefined
    ? { data: { ...data, input: items.filter(item => item !== system) }, report }
    : { data: { ...data, input: rest, instructions: words }, report }
}

/** What a system message says, or undefined if it is none, or holds something else. */
function wordsOf(item: AgentInputItem | undefined): string | undefined {
  if (roleOf(item) !== 'system') return undefined
  const { content } = item as { content: unknown }
  if (typeof content === 'string') return content
  const texts = Array.isArray(content) ? content.map(block => (isRecord(block) ? block.text : undefined)) : []
  return texts.every(text => typeof text === 'string') ? texts.join('\n\n') : undefined
}

/**
 * Whether the provider holds what came before: then the SDK sends what is new alone, and results come first, without the
 * calls and without anything else that the model has said.
 */
function isContinued(input: readonly AgentInputItem[]): boolean {
  const [first] = input
  return results.has(first?.type) && !input.some(isSaidByModel)
}

const results: ReadonlySet<unknown> = new Set([
  ...['function_call_result', 'computer_call_result', 'shell_call_output', 'apply_patch_call_output'],
  ...['tool_search_output'],
])

const isSaidByModel = (item: AgentInputItem): boolean =>
  roleOf(item) === 'assistant' || /call$|^reasoning$/.test(item.type ?? '')

const roleOf = (item: unknown): unknown => (isRecord(item) ? item.role : undefined)
