import { type JsonObject, objects } from '../json.ts'
import type { State } from '../state.ts'
import { type Entry, idOf, named, outcomeOf, type Reading, userSaid, wordsOf } from './reading.ts'

export function readOpenaiResponses(body: JsonObject, state: State): Reading {
  return {
    tools: named(objects(body.tools).flatMap(tool)),
    mayCall: body.tool_choice !== 'none',
    said: state.context(body).flatMap(item),
  }
}

/** Only what the client runs: a free-form tool takes a text, and hosted tools are run elsewhere. */
function tool({ type, name, parameters }: JsonObject) {
  if (type === 'function') return [{ name, schema: parameters }]
  return type === 'custom' ? [{ name, schema: { type: 'string' } }] : []
}

function item(item: JsonObject): Entry[] {
  const { type, role } = item
  if (type === 'function_call' || type === 'custom_tool_call')
    return [{ by: 'call', id: idOf(item.call_id), name: idOf(item.name) }]
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return [{ by: 'tool', id: idOf(item.call_id), text: outcomeOf(item.output) }]
  if (role === 'user') return userSaid(wordsOf(item.content))
  return role === 'assistant' ? [{ by: 'assistant' }] : []
}
