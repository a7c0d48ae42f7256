import { isObject, type JsonObject, jsonText, objectOf, objects, parse } from '../../json.ts'
import { answerSchema } from '../../reading/answer-schema.ts'
import { type Choice, chosen, forced, free } from '../../reading/choice.ts'
import { type Entry, idOf, named, type Reading, userSaid, wordsOf } from '../../reading/reading.ts'

export function readBedrock(body: JsonObject): Reading {
  const { tools, toolChoice } = objectOf(body.toolConfig)
  const specs = objects(tools).map(({ toolSpec }) => objectOf(toolSpec))
  return {
    tools: named(specs.map(({ name, inputSchema }) => ({ name, schema: objectOf(inputSchema).json }))),
    ...choice(objectOf(toolChoice)),
    ...answer(body),
    said: objects(body.messages).flatMap(message),
  }
}

function choice({ any, tool }: JsonObject): Choice {
  if (isObject(tool)) return chosen(tool.name)
  return isObject(any) ? forced : free
}

/** Converse has the schema as a text; what is meant for Claude alone is in Claude's words. */
function answer({ outputConfig, additionalModelRequestFields }: JsonObject): Pick<Reading, 'answer'> {
  const { structure } = objectOf(objectOf(outputConfig).textFormat)
  const { schema } = objectOf(objectOf(structure).jsonSchema)
  if (typeof schema === 'string') return { answer: objectOf(parse(schema)) }
  return answerSchema(objectOf(objectOf(additionalModelRequestFields).output_config).format)
}

function message({ role, content }: JsonObject): Entry[] {
  const blocks = objects(content)
  if (role === 'assistant') return [{ by: 'assistant' }, ...blocks.flatMap(call)]
  return role === 'user' ? [...blocks.flatMap(result), ...userSaid(wordsOf(blocks))] : []
}

const call = ({ toolUse }: JsonObject): Entry[] =>
  isObject(toolUse) ? [{ by: 'call', id: idOf(toolUse.toolUseId), name: idOf(toolUse.name) }] : []

function result({ toolResult }: JsonObject): Entry[] {
  if (!isObject(toolResult)) return []
  const text = objects(toolResult.content).map(({ text, json }) => jsonText(text ?? json))
  return [{ by: 'tool', id: idOf(toolResult.toolUseId), text: text.join('\n') }]
}
