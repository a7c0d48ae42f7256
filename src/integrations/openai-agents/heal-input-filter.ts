import type { AgentInputItem, CallModelInputFilter, ModelInputData } from '@openai/agents'
import { isRecord } from '../../core/conversation.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'
import { type HealedItems, healItems } from './heal-items.ts'

export interface HealInputFilterOptions extends Omit<HealOptions, 'format'> {
  /** Called with the error if healing failed and the input was sent unchanged. By default it is a process warning. */
  readonly onError?: (error: unknown) => void
}

/**
 * A `callModelInputFilter` that heals the input of the model. A healthy input is returned as the same object. If healing fails, the
 * original is returned, so no run fails because of it.
 */
export function healInputFilter(options: HealInputFilterOptions = {}): CallModelInputFilter {
  const { onError = warn, onRepair = warnOfLoss, ...choices } = options
  // Unknown names throw here, not at the first run.
  planFor([], choices)
  const filter: CallModelInputFilter = ({ modelData, agent: { model } }) => {
    try {
      const known = {
        continues: !isChatModel(model) && isContinued(modelData.input),
        ...(typeof model === 'string' && { model }),
        ...(isChatModel(model) && { for: 'openai' as const }),
      }
      const { data, report } = heal(modelData, { ...known, ...choices })
      if (report.changed) notify(onRepair, report)
      return data
    } catch (error) {
      notify(onError, error)
      return modelData
    }
  }
  // The filter never changes its input in place, so the SDK does not have to copy it.
  filter.preserveInputIdentity = true
  return filter
}

/** The Chat Completions model of the SDK gives all items of an answer the id of that answer, and sends no id of an item. */
const isChatModel = (model: unknown): boolean =>
  typeof model === 'object' && model?.constructor.name === 'OpenAIChatCompletionsModel'

/** Most providers get the instructions as the first system message, so they decide where other system messages may be. */
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

/** The text of a system message; undefined if the item is not one, or has other content. */
function wordsOf(item: AgentInputItem | undefined): string | undefined {
  if (roleOf(item) !== 'system') return undefined
  const { content } = item as { content: unknown }
  if (typeof content === 'string') return content
  const texts = Array.isArray(content) ? content.map(block => (isRecord(block) ? block.text : undefined)) : []
  return texts.every(text => typeof text === 'string') ? texts.join('\n\n') : undefined
}

/**
 * Whether the provider stores the conversation so far. Then the SDK sends only new items: results and approvals come first, and there are
 * neither calls nor other items of the model.
 */
function isContinued(input: readonly AgentInputItem[]): boolean {
  const first = input.find(item => !isApproval(item))
  return results.has(first?.type) && !input.some(item => isSaidByModel(item) && !isApproval(item))
}

/** The answer to a question of the provider whether it may call an MCP tool. The SDK gives it the type of a call that the provider runs. */
const isApproval = (item: unknown): boolean =>
  isRecord(item) &&
  item.type === 'hosted_tool_call' &&
  [item.name, isRecord(item.providerData) && item.providerData.type].includes('mcp_approval_response')

const results: ReadonlySet<unknown> = new Set([
  ...['function_call_result', 'computer_call_result', 'shell_call_output', 'apply_patch_call_output'],
  ...['tool_search_output'],
])

const isSaidByModel = (item: AgentInputItem): boolean =>
  roleOf(item) === 'assistant' || /call$|^reasoning$/.test(item.type ?? '')

const roleOf = (item: unknown): unknown => (isRecord(item) ? item.role : undefined)
