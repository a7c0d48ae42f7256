import { type JsonObject, objectOf, objects } from '../../json.ts'
import { answerSchema } from '../../reading/answer-schema.ts'
import { chosen, forbidden, forced, narrowed, type ToolChoice } from '../../reading/choice.ts'
import {
  contentText,
  freeForm,
  idOrEmpty,
  namedTools,
  type RequestSummary,
  type SummaryEntry,
  toolResultText,
  userEntry,
} from '../../reading/request-summary.ts'
import type { ServerState } from '../../server/state.ts'

export function summarizeOpenaiResponses(body: JsonObject, state: ServerState): RequestSummary {
  return {
    tools: namedTools(objects(body.tools).flatMap(tool)),
    ...choice(body.tool_choice),
    ...answerSchema(objectOf(body.text).format),
    history: state.context(body).flatMap(item),
  }
}

function choice(choice: unknown): ToolChoice {
  if (choice === 'none') return forbidden
  if (choice === 'required') return forced
  const { type, name, mode, tools } = objectOf(choice)
  if (type !== 'allowed_tools') return chosen(name)
  return narrowed(
    objects(tools).map(({ name }) => name),
    mode === 'required',
  )
}

/** Only tools that the client runs, not those that the provider runs. */
function tool({ type, name, parameters }: JsonObject) {
  if (type === 'function') return [{ name, schema: parameters }]
  return type === 'custom' ? [{ name, schema: freeForm }] : []
}

function item(item: JsonObject): SummaryEntry[] {
  const { type, role } = item
  if (type === 'function_call' || type === 'custom_tool_call')
    return [{ by: 'call', id: idOrEmpty(item.call_id), name: idOrEmpty(item.name) }]
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return [{ by: 'tool', id: idOrEmpty(item.call_id), text: toolResultText(item.output) }]
  if (role === 'user') return userEntry(contentText(item.content))
  return role === 'assistant' ? [{ by: 'assistant' }] : []
}
