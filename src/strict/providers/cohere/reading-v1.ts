import { type JsonObject, objectOf, objects, textOrJson } from '../../json.ts'
import {
  contentText,
  idOrEmpty,
  namedTools,
  type RequestSummary,
  type SummaryEntry,
  userEntry,
} from '../../reading/request-summary.ts'

/** Version 1 of the API: the new message is separate from the history. */
export function summarizeCohereV1(body: JsonObject): RequestSummary {
  const history = objects(body.chat_history)
  return {
    tools: namedTools(
      objects(body.tools).map(tool => ({ name: tool.name, schema: schema(tool.parameter_definitions) })),
    ),
    mayCall: true,
    history: [...history.flatMap(element), ...news(body, objects(history.at(-1)?.tool_calls).length > 0)],
  }
}

/** In a single step the calls are not in the history: only the results contain them, after the user's message. */
function news({ message, tool_results }: JsonObject, hasCalls: boolean): SummaryEntry[] {
  const [userEntries, results] = [userEntry(contentText(message)), objects(tool_results)]
  if (hasCalls || results.length === 0) return [...results.map(result), ...userEntries]
  return [
    ...userEntries,
    { by: 'assistant' },
    ...results.map(result => call(objectOf(result.call))),
    ...results.map(result),
  ]
}

function element({ role, message, tool_calls, tool_results }: JsonObject): SummaryEntry[] {
  const side = String(role).toUpperCase()
  if (side === 'USER') return userEntry(contentText(message))
  if (side === 'CHATBOT') return [{ by: 'assistant' }, ...objects(tool_calls).map(call)]
  return side === 'TOOL' ? objects(tool_results).map(result) : []
}

const call = ({ name }: JsonObject): SummaryEntry => ({ by: 'call', id: '', name: idOrEmpty(name) })

const result = ({ call, outputs }: JsonObject): SummaryEntry => ({
  ...{ by: 'tool', id: '', name: idOrEmpty(objectOf(call).name) },
  text: objects(outputs).map(outputText).join('\n'),
})

/** Outputs are objects with any keys; a client with a text result puts it under one of these. */
function outputText(output: JsonObject): string {
  const [value, ...more] = Object.values(output)
  return typeof value === 'string' && more.length === 0 ? value : textOrJson(output)
}

/** Parameters are listed with Python's types. */
function schema(definitions: unknown): JsonObject {
  const parameters = Object.entries(objectOf(definitions)).map(([name, spec]) => ({ name, ...kindOf(objectOf(spec)) }))
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, type }) => [name, { type }])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  }
}

const kindOf = ({ type, required }: JsonObject) => ({ type: jsonType(type), isRequired: required === true })

/** `List[str]` is a list. JSON type names are accepted as well. */
function jsonType(type: unknown): string {
  const [word = ''] = String(type).toLowerCase().split('[')
  return jsonTypes[word] ?? word
}

const jsonTypes: Readonly<Record<string, string | undefined>> = {
  ...{ str: 'string', int: 'integer', float: 'number', bool: 'boolean', list: 'array', dict: 'object' },
}
