import { isObject, type JsonObject, objectOf, objects, parse, textOrJson } from '../../json.ts'
import { answerSchema } from '../../reading/answer-schema.ts'
import { chosen, forced, free, type ToolChoice } from '../../reading/choice.ts'
import {
  contentText,
  idOrEmpty,
  namedTools,
  type RequestSummary,
  type SummaryEntry,
  userEntry,
} from '../../reading/request-summary.ts'

export function summarizeBedrock(body: JsonObject): RequestSummary {
  const { tools, toolChoice } = objectOf(body.toolConfig)
  const specs = objects(tools).map(({ toolSpec }) => objectOf(toolSpec))
  return {
    tools: namedTools(specs.map(({ name, inputSchema }) => ({ name, schema: objectOf(inputSchema).json }))),
    ...choice(objectOf(toolChoice)),
    ...answer(body),
    history: objects(body.messages).flatMap(message),
  }
}

function choice({ any, tool }: JsonObject): ToolChoice {
  if (isObject(tool)) return chosen(tool.name)
  return isObject(any) ? forced : free
}

/** Converse has the schema as text; settings for Claude alone are in Claude's format. */
function answer({ outputConfig, additionalModelRequestFields }: JsonObject): Pick<RequestSummary, 'answer'> {
  const { structure } = objectOf(objectOf(outputConfig).textFormat)
  const { schema } = objectOf(objectOf(structure).jsonSchema)
  if (typeof schema === 'string') return { answer: objectOf(parse(schema)) }
  return answerSchema(objectOf(objectOf(additionalModelRequestFields).output_config).format)
}

function message({ role, content }: JsonObject): SummaryEntry[] {
  const blocks = objects(content)
  if (role === 'assistant') return [{ by: 'assistant' }, ...blocks.flatMap(call)]
  return role === 'user' ? [...blocks.flatMap(result), ...userEntry(contentText(blocks))] : []
}

const call = ({ toolUse }: JsonObject): SummaryEntry[] =>
  isObject(toolUse) ? [{ by: 'call', id: idOrEmpty(toolUse.toolUseId), name: idOrEmpty(toolUse.name) }] : []

function result({ toolResult }: JsonObject): SummaryEntry[] {
  if (!isObject(toolResult)) return []
  const text = objects(toolResult.content).map(({ text, json }) => textOrJson(text ?? json))
  return [{ by: 'tool', id: idOrEmpty(toolResult.toolUseId), text: text.join('\n') }]
}
