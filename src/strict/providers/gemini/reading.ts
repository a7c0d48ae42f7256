import { isObject, type JsonObject, objectOf, objects, textOrJson } from '../../json.ts'
import { anyObject } from '../../reading/answer-schema.ts'
import { forbidden, forced, free, narrowed, type ToolChoice } from '../../reading/choice.ts'
import {
  idOrEmpty,
  namedTools,
  type RequestSummary,
  type SummaryEntry,
  userEntry,
} from '../../reading/request-summary.ts'

/** The API accepts both spellings of a field, `functionCall` and `function_call`. */
export function summarizeGemini(body: JsonObject): RequestSummary {
  const declared = objects(body.tools).flatMap(tool => objects(tool.functionDeclarations ?? tool.function_declarations))
  return {
    tools: namedTools(
      declared.map(tool => ({ name: tool.name, schema: tool.parametersJsonSchema ?? tool.parameters })),
    ),
    ...choice(objectOf(body.toolConfig ?? body.tool_config)),
    ...answer(objectOf(body.generationConfig ?? body.generation_config)),
    history: objects(body.contents).flatMap(content),
  }
}

function choice(config: JsonObject): ToolChoice {
  const calling = objectOf(config.functionCallingConfig ?? config.function_calling_config)
  const names = calling.allowedFunctionNames ?? calling.allowed_function_names
  const mustCall = calling.mode === 'ANY'
  if (calling.mode === 'NONE') return forbidden
  if (Array.isArray(names) && names.length > 0) return narrowed(names, mustCall)
  return mustCall ? forced : free
}

function answer(config: JsonObject): Pick<RequestSummary, 'answer'> {
  const written = config.responseJsonSchema ?? config.response_json_schema
  const schema = written ?? config.responseSchema ?? config.response_schema
  if (isObject(schema)) return { answer: schema }
  const type = config.responseMimeType ?? config.response_mime_type
  return type === 'application/json' ? { answer: anyObject } : {}
}

function content({ role, parts }: JsonObject): SummaryEntry[] {
  if (role === 'model') return [{ by: 'assistant' }, ...objects(parts).flatMap(call)]
  const words = objects(parts).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  return [...objects(parts).flatMap(result), ...userEntry(words.join('\n'))]
}

function call(part: JsonObject): SummaryEntry[] {
  const call = part.functionCall ?? part.function_call
  return isObject(call) ? [{ by: 'call', id: idOrEmpty(call.id), name: idOrEmpty(call.name) }] : []
}

function result(part: JsonObject): SummaryEntry[] {
  const result = part.functionResponse ?? part.function_response
  if (!isObject(result)) return []
  // The API accepts any object; these are the keys under which clients put a text.
  const { output, result: outcome, content } = objectOf(result.response)
  return [
    {
      by: 'tool',
      id: idOrEmpty(result.id),
      name: idOrEmpty(result.name),
      text: textOrJson(output ?? outcome ?? content ?? result.response),
    },
  ]
}
