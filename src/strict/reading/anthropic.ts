import { type JsonObject, objectOf, objects } from '../json.ts'
import { type Entry, idOf, named, outcomeOf, type Reading, userSaid, wordsOf } from './reading.ts'

export function readAnthropic(body: JsonObject): Reading {
  return {
    tools: named(
      objects(body.tools)
        .filter(({ type }) => type === undefined || type === null || clientTools.test(String(type)))
        .map(({ name, input_schema }) => ({ name, schema: input_schema })),
    ),
    mayCall: objectOf(body.tool_choice).type !== 'none',
    said: objects(body.messages).flatMap(message),
  }
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
