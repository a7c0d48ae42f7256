import { isObject, type JsonObject, jsonText, objectOf, objects } from '../../json.ts'
import { anyObject } from '../../reading/answer-schema.ts'
import { type Choice, forbidden, forced, free, narrowed } from '../../reading/choice.ts'
import { type Entry, idOf, named, type Reading, userSaid } from '../../reading/reading.ts'

/** The API takes both spellings of a field, `functionCall` and `function_call`. */
export function readGemini(body: JsonObject): Reading {
  const declared = objects(body.tools).flatMap(tool => objects(tool.functionDeclarations ?? tool.function_declarations))
  return {
    tools: named(declared.map(tool => ({ name: tool.name, schema: tool.parametersJsonSchema ?? tool.parameters }))),
    ...choice(objectOf(body.toolConfig ?? body.tool_config)),
    ...answer(objectOf(body.generationConfig ?? body.generation_config)),
    said: objects(body.contents).flatMap(content),
  }
}

function choice(config: JsonObject): Choice {
  const calling = objectOf(config.functionCallingConfig ?? config.function_calling_config)
  const names = calling.allowedFunctionNames ?? calling.allowed_function_names
  const mustCall = calling.mode === 'ANY'
  if (calling.mode === 'NONE') return forbidden
  if (Array.isArray(names) && names.length > 0) return narrowed(names, mustCall)
  return mustCall ? forced : free
}

function answer(config: JsonObject): Pick<Reading, 'answer'> {
  const written = config.responseJsonSchema ?? config.response_json_schema
  const schema = written ?? config.responseSchema ?? config.response_schema
  if (isObject(schema)) return { answer: schema }
  const type = config.responseMimeType ?? config.response_mime_type
  return type === 'application/json' ? { answer: anyObject } : {}
}

function content({ role, parts }: JsonObject): Entry[] {
  if (role === 'model') return [{ by: 'assistant' }, ...objects(parts).flatMap(call)]
  const words = objects(parts).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  return [...objects(parts).flatMap(result), ...userSaid(words.join('\n'))]
}

function call(part: JsonObject): Entry[] {
  const call = part.functionCall ?? part.function_call
  return isObject(call) ? [{ by: 'call', id: idOf(call.id), name: idOf(call.name) }] : []
}

function result(part: JsonObject): Entry[] {
  const result = part.functionResponse ?? part.function_response
  if (!isObject(result)) return []
  // The API takes any object; these are the keys under which clients put a text.
  const { output, result: outcome, content } = objectOf(result.response)
  return [
    {
      by: 'tool',
      id: idOf(result.id),
      name: idOf(result.name),
      text: jsonText(output ?? outcome ?? content ?? result.response),
    },
  ]
}
