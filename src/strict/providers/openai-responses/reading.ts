import { type JsonObject, objectOf, objects } from '../../json.ts'
import { answerSchema } from '../../reading/answer-schema.ts'
import { type Choice, chosen, forbidden, forced, narrowed } from '../../reading/choice.ts'
import { type Entry, freeForm, idOf, named, outcomeOf, type Reading, userSaid, wordsOf } from '../../reading/reading.ts'
import type { State } from '../../server/state.ts'

export function readOpenaiResponses(body: JsonObject, state: State): Reading {
  return {
    tools: named(objects(body.tools).flatMap(tool)),
    ...choice(body.tool_choice),
    ...answerSchema(objectOf(body.text).format),
    said: state.context(body).flatMap(item),
  }
}

function choice(choice: unknown): Choice {
  if (choice === 'none') return forbidden
  if (choice === 'required') return forced
  const { type, name, mode, tools } = objectOf(choice)
  if (type !== 'allowed_tools') return chosen(name)
  return narrowed(
    objects(tools).map(({ name }) => name),
    mode === 'required',
  )
}

/** Only what the client runs: hosted tools are run elsewhere. */
function tool({ type, name, parameters }: JsonObject) {
  if (type === 'function') return [{ name, schema: parameters }]
  return type === 'custom' ? [{ name, schema: freeForm }] : []
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
