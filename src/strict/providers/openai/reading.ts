import { isObject, type JsonObject, objectOf, objects } from '../../json.ts'
import { answerSchema } from '../../reading/answer-schema.ts'
import { type Choice, chosen, forbidden, forced, narrowed } from '../../reading/choice.ts'
import { type Entry, freeForm, idOf, named, outcomeOf, type Reading, userSaid, wordsOf } from '../../reading/reading.ts'

export function readOpenaiChat(body: JsonObject): Reading {
  return {
    tools: named([...objects(body.tools).map(tool), ...objects(body.functions).map(described)]),
    ...choice(body),
    ...answerSchema(body.response_format),
    said: objects(body.messages).flatMap(message),
  }
}

function choice({ tool_choice: choice, function_call: legacy }: JsonObject): Choice {
  if (choice === 'none' || legacy === 'none') return forbidden
  // Mistral's word for it is `any`.
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

function message(message: JsonObject): Entry[] {
  const { role, content } = message
  if (role === 'user') return userSaid(wordsOf(content))
  if (role === 'tool') return [{ by: 'tool', id: idOf(message.tool_call_id), text: outcomeOf(content) }]
  if (role === 'function') return [{ by: 'tool', id: '', name: idOf(message.name), text: outcomeOf(content) }]
  if (role !== 'assistant') return []
  const calls = [...objects(message.tool_calls), ...objects([message.function_call]).map(call => ({ function: call }))]
  return [{ by: 'assistant' }, ...calls.map(call)]
}

const call = (call: JsonObject): Entry => ({ by: 'call', id: idOf(call.id), name: idOf(nameIn(call)) })
