import { type JsonObject, objectOf, objects } from '../json.ts'
import { type Entry, idOf, named, outcomeOf, type Reading, userSaid, wordsOf } from './reading.ts'

export function readOpenaiChat(body: JsonObject): Reading {
  return {
    tools: named([...objects(body.tools).map(tool), ...objects(body.functions).map(described)]),
    mayCall: body.tool_choice !== 'none' && body.function_call !== 'none',
    said: objects(body.messages).flatMap(message),
  }
}

/** A free-form tool takes a text. */
const tool = (tool: JsonObject) =>
  tool.type === 'custom'
    ? { name: objectOf(tool.custom).name, schema: { type: 'string' } }
    : described(objectOf(tool.function))

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

function call(call: JsonObject): Entry {
  const { name } = objectOf(call.function ?? call.custom)
  return { by: 'call', id: idOf(call.id), name: idOf(name) }
}
