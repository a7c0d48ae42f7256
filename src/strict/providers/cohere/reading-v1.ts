import { type JsonObject, jsonText, objectOf, objects } from '../../json.ts'
import { type Entry, idOf, named, type Reading, userSaid, wordsOf } from '../../reading/reading.ts'

/** The first version: what is new stands beside the history. */
export function readCohereV1(body: JsonObject): Reading {
  const history = objects(body.chat_history)
  return {
    tools: named(objects(body.tools).map(tool => ({ name: tool.name, schema: schema(tool.parameter_definitions) }))),
    mayCall: true,
    said: [...history.flatMap(element), ...news(body, objects(history.at(-1)?.tool_calls).length > 0)],
  }
}

/** In a single step the calls do not come into the history: the results alone tell of them, behind what was asked. */
function news({ message, tool_results }: JsonObject, hasCalls: boolean): Entry[] {
  const [said, results] = [userSaid(wordsOf(message)), objects(tool_results)]
  if (hasCalls || results.length === 0) return [...results.map(result), ...said]
  return [...said, { by: 'assistant' }, ...results.map(result => call(objectOf(result.call))), ...results.map(result)]
}

function element({ role, message, tool_calls, tool_results }: JsonObject): Entry[] {
  const side = String(role).toUpperCase()
  if (side === 'USER') return userSaid(wordsOf(message))
  if (side === 'CHATBOT') return [{ by: 'assistant' }, ...objects(tool_calls).map(call)]
  return side === 'TOOL' ? objects(tool_results).map(result) : []
}

const call = ({ name }: JsonObject): Entry => ({ by: 'call', id: '', name: idOf(name) })

const result = ({ call, outputs }: JsonObject): Entry => ({
  ...{ by: 'tool', id: '', name: idOf(objectOf(call).name) },
  text: objects(outputs).map(outputText).join('\n'),
})

/** Outputs are objects with any keys; a client that has a text puts it under one. */
function outputText(output: JsonObject): string {
  const [value, ...more] = Object.values(output)
  return typeof value === 'string' && more.length === 0 ? value : jsonText(output)
}

/** Its parameters are listed with Python's types. */
function schema(definitions: unknown): JsonObject {
  const parameters = Object.entries(objectOf(definitions)).map(([name, spec]) => ({ name, ...kindOf(objectOf(spec)) }))
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, type }) => [name, { type }])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  }
}

const kindOf = ({ type, required }: JsonObject) => ({ type: jsonType(type), isRequired: required === true })

/** `List[str]` is a list. Names of JSON are taken as well. */
function jsonType(type: unknown): string {
  const [word] = String(type).toLowerCase().split('[')
  return jsonTypes[word] ?? word
}

const jsonTypes: Readonly<Record<string, string | undefined>> = {
  ...{ str: 'string', int: 'integer', float: 'number', bool: 'boolean', list: 'array', dict: 'object' },
}
