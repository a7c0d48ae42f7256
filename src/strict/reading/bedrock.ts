import { isObject, type JsonObject, jsonText, objectOf, objects } from '../json.ts'
import { type Entry, idOf, named, type Reading, userSaid, wordsOf } from './reading.ts'

export function readBedrock(body: JsonObject): Reading {
  const specs = objects(objectOf(body.toolConfig).tools).map(({ toolSpec }) => objectOf(toolSpec))
  return {
    tools: named(specs.map(({ name, inputSchema }) => ({ name, schema: objectOf(inputSchema).json }))),
    mayCall: true,
    said: objects(body.messages).flatMap(message),
  }
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
