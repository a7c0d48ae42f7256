import { type JsonObject, stringOf } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import { contentBlocks } from './history.ts'

/**
 * An assistant message that the model should continue. A turn that the provider has paused is different: it is sent back
 * unchanged.
 */
export function prefill(messages: JsonObject[], model: string | undefined): RejectionReason[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || !isModel(models.withoutPrefill, model)) return []
  const isPaused = contentBlocks(last).some(({ type }) => providerRun.test(stringOf(type) ?? ''))
  return isPaused ? [] : [reject('an-no-prefill', prefillText, `messages[${messages.length - 1}]`)]
}

const providerRun = /^(server_tool_use|mcp_tool_use|\w+_tool_result)$/

const prefillText =
  'This model does not support assistant message prefill. The conversation must end with a user message.'
