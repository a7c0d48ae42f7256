import { isObject, type JsonObject, jsonText, objectOf, objects } from '../json.ts'
import { type Entry, idOf, named, type Reading, userSaid } from './reading.ts'

/** The API takes both spellings of a field, `functionCall` and `function_call`. */
export function readGemini(body: JsonObject): Reading {
  const declared = objects(body.tools).flatMap(tool => objects(tool.functionDeclarations ?? tool.function_declarations))
  const config = objectOf(body.toolConfig ?? body.tool_config)
  const calling = objectOf(config.functionCallingConfig ?? config.function_calling_config)
  return {
    tools: named(declared.map(tool => ({ name: tool.name, schema: tool.parametersJsonSchema ?? tool.parameters }))),
    mayCall: calling.mode !== 'NONE',
    said: objects(body.contents).flatMap(content),
  }
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
