import { isObject, type JsonObject, objectOf, objects } from '../../json.ts'
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

export function summarizeOpenaiChat(body: JsonObject): RequestSummary {
  return {
    tools: namedTools([...objects(body.tools).map(tool), ...objects(body.functions).map(described)]),
    ...choice(body),
    ...answerSchema(body.response_format),
    history: objects(body.messages).flatMap(message),
  }
}

function choice({ tool_choice: choice, function_call: legacy }: JsonObject): ToolChoice {
  if (choice === 'none' || legacy === 'none') return forbidden
  // Mistral calls it `any`.
  if (choice === 'required' || choice === 'any') return forced
  if (isObject(legacy)) return chosen(legacy.name)
  const { type, allowed_tools } = objectOf(choice)
  if (type !== 'allowed_tools') return chosen(nameIn(objectOf(choice)))
  const { mode, tools } = objectOf(allowed_tools)
  return narrowed(objects(tools).map(nameIn), mode === 'required')
}

const nameIn = (tool: JsonObject): unknown => objectOf(tool.function ?? tool.custom).name

const tool = (tool: JsonObject) =>
  tool.type === 'custom' ? { name: nameIn(tool), schema: freeForm } : described(objectOf(tool.function))

const described = ({ name, parameters }: JsonObject) => ({ name, schema: parameters })

function message(message: JsonObject): SummaryEntry[] {
  const { role, content } = message
  if (role === 'user') return userEntry(contentText(content))
  if (role === 'tool') return [{ by: 'tool', id: idOrEmpty(message.tool_call_id), text: toolResultText(content) }]
  if (role === 'function') return [{ by: 'tool', id: '', name: idOrEmpty(message.name), text: toolResultText(content) }]
  if (role !== 'assistant') return []
  const calls = [...objects(message.tool_calls), ...objects([message.function_call]).map(call => ({ function: call }))]
  return [{ by: 'assistant' }, ...calls.map(call)]
}

const call = (call: JsonObject): SummaryEntry => ({ by: 'call', id: idOrEmpty(call.id), name: idOrEmpty(nameIn(call)) })
