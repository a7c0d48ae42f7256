import { type JsonObject, objectOf, objects } from '../../json.ts'
import { answerSchema } from '../../reading/answer-schema.ts'
import { type Choice, chosen, forbidden, forced, free } from '../../reading/choice.ts'
import { type Entry, idOf, named, outcomeOf, type Reading, userSaid, wordsOf } from '../../reading/reading.ts'
import type { State } from '../../server/state.ts'

export function readAnthropic(request: JsonObject, state: State): Reading {
  const body = state.threads.whole(request)
  return {
    tools: named(
      objects(body.tools)
        .filter(({ type }) => type === undefined || type === null || clientTools.test(String(type)))
        .map(({ name, input_schema }) => ({ name, schema: input_schema })),
    ),
    ...choice(objectOf(body.tool_choice)),
    ...answerSchema(objectOf(body.output_config).format ?? body.output_format),
    said: objects(body.messages).flatMap(message),
  }
}

function choice({ type, name }: JsonObject): Choice {
  if (type === 'none') return forbidden
  if (type === 'any') return forced
  return type === 'tool' ? chosen(name) : free
}

/** Other types are run by the provider. */
const clientTools = /^(custom$|bash_|text_editor_|computer_|memory_)/

function message({ role, content }: JsonObject): Entry[] {
  if (role === 'assistant') return [{ by: 'assistant' }, ...objects(content).flatMap(call)]
  if (role !== 'user') return []
  const results = objects(content).filter(({ type }) => type === 'tool_result')
  return [...results.map(result), ...userSaid(wordsOf(content))]
}

const call = ({ type, id, name }: JsonObject): Entry[] =>
  type === 'tool_use' ? [{ by: 'call', id: idOf(id), name: idOf(name) }] : []

const result = ({ tool_use_id, content }: JsonObject): Entry => ({
  by: 'tool',
  id: idOf(tool_use_id),
  text: outcomeOf(content),
})
