import { isObject, type JsonObject, jsonText, objects, stringOf } from '../../../src/strict/json.ts'
import type { Call, Entry } from '../../../src/strict/judge/entry.ts'
import { readContent, readResult } from '../../../src/strict/judge/readers/content.ts'

/** One entry a message, whichever way it is written. One that removes another is never sent. */
export function readLangchain(history: unknown[]): Entry[] {
  return history.flatMap((message, index) => (isObject(message) ? [readMessage(message, index)] : [])).filter(isSent)
}

const isSent = ({ role }: Entry): boolean => role !== 'remove' && role !== 'RemoveMessage'

function readMessage(wire: JsonObject, index: number): Entry {
  const { type, fields, path } = unwrap(wire)
  const isOfJavaScript =
    path === '.kwargs'
      ? Array.isArray(wire.id) && wire.id[0] === 'langchain_core'
      : path === '.data' && !('type' in fields)
  const role = roles.get(type) ?? type
  const at = `messages[${index}]${path}`
  const blank: Entry = { role, texts: [], media: false, calls: [], wire, index, at }
  const list = isBlank(fields.content) && !isBlank(fields.content_blocks) ? 'content_blocks' : 'content'
  const content = fields[list]
  if (role === 'tool') return readToolMessage(fields, content, blank)
  if (role !== 'assistant' || !Array.isArray(content)) {
    const calls = role === 'assistant' ? readCalls(fields, at, isOfJavaScript) : []
    return { ...blank, ...readContent(content), calls }
  }
  const calls = readCalls(fields, at, isOfJavaScript)
  const said = content.filter(block => !isObject(block) || !(isThought(block) || isCallBlock(block)))
  for (const [k, block] of content.entries()) {
    if (!isObject(block) || !isCallBlock(block)) continue
    const call = readBlock(block, `${at}.${list}[${k}]`)
    if (!calls.some(({ id }) => id === call.id)) calls.push(call)
  }
  return { ...blank, ...readContent(said), calls }
}

const isBlank = (content: unknown): boolean =>
  content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)

/** The type of a message, its fields, and the path to them. */
function unwrap(wire: JsonObject): { type: string; fields: JsonObject; path: string } {
  if (wire.lc === 1 && isObject(wire.kwargs)) {
    const name = Array.isArray(wire.id) ? String(wire.id.at(-1)) : ''
    return { type: name, fields: wire.kwargs, path: '.kwargs' }
  }
  const type = stringOf(wire.role) ?? stringOf(wire.type) ?? ''
  if (isObject(wire.data) && wire.content === undefined) return { type, fields: wire.data, path: '.data' }
  return { type, fields: wire, path: '' }
}

const roles = new Map([
  ...['human', 'HumanMessage', 'HumanMessageChunk'].map(type => [type, 'user'] as const),
  ...['ai', 'AIMessage', 'AIMessageChunk'].map(type => [type, 'assistant'] as const),
  ...['SystemMessage', 'SystemMessageChunk'].map(type => [type, 'system'] as const),
  ...['ToolMessage', 'ToolMessageChunk'].map(type => [type, 'tool'] as const),
])

function readToolMessage(fields: JsonObject, content: unknown, blank: Entry): Entry {
  const { texts, media } = readContent(content)
  const result: Entry = { ...blank, texts: texts.length > 0 ? texts : readResult(content), media }
  const answers = stringOf(fields.tool_call_id)
  return answers === undefined ? result : { ...result, answers }
}

/**
 * Calls that could not be read count, unless LangChain.js wrote the message: it does not send them. The provider's own list counts
 * if there is no other.
 */
function readCalls(fields: JsonObject, at: string, isOfJavaScript: boolean): Call[] {
  const listed = (isOfJavaScript ? ['tool_calls'] : ['tool_calls', 'invalid_tool_calls']).flatMap(list =>
    objects(fields[list]).map((call, k) => readCall(call, `${at}.${list}[${k}]`)),
  )
  if (listed.length > 0 || !isObject(fields.additional_kwargs)) return listed
  const raw = objects(fields.additional_kwargs.tool_calls)
  return raw.map((call, k) => readCall(call, `${at}.additional_kwargs.tool_calls[${k}]`))
}

function readCall(call: JsonObject, at: string): Call {
  const target = isObject(call.function) ? call.function : call
  const args = jsonText(target === call ? call.args : target.arguments)
  return { id: stringOf(call.id), name: stringOf(target.name) ?? '', args, at }
}

const callBlocks = new Map<unknown, [id: string, input: string]>([
  ['tool_use', ['id', 'input']],
  ['tool_call', ['id', 'args']],
  ['function_call', ['call_id', 'arguments']],
])

const isCallBlock = ({ type }: JsonObject): boolean => callBlocks.has(type)

const isThought = ({ type }: JsonObject): boolean =>
  type === 'thinking' || type === 'redacted_thinking' || type === 'reasoning'

function readBlock(block: JsonObject, at: string): Call {
  const [id, input] = callBlocks.get(block.type) ?? ['id', 'input']
  return { id: stringOf(block[id]), name: stringOf(block.name) ?? '', args: jsonText(block[input]), at }
}
