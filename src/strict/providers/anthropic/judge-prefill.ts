import { type JsonObject, stringOf } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import { type Objection, refuse } from '../../judge/objection.ts'
import { blocksOf } from './history.ts'

/** Words that the model is to go on with. A turn that the provider has paused is not that: it is sent back as it is. */
export function prefill(messages: JsonObject[], model: string | undefined): Objection[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || !isModel(models.withoutPrefill, model)) return []
  const isPaused = blocksOf(last).some(({ type }) => hosted.test(stringOf(type) ?? ''))
  return isPaused ? [] : [refuse('an-no-prefill', prefillText, `messages[${messages.length - 1}]`)]
}

const hosted = /^(server_tool_use|mcp_tool_use|\w+_tool_result)$/

const prefillText =
  'This model does not support assistant message prefill. The conversation must end with a user message.'
