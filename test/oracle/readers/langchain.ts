import { isObject, type JsonObject, objects, stringOf, textOrJson } from '../../../src/strict/json.ts'
import type { EntryCall, HistoryEntry } from '../../../src/strict/judge/entry.ts'
import { contentTexts, resultTexts } from '../../../src/strict/judge/readers/content.ts'

/** One entry a message, whichever way it is written. One that removes another is never sent. */
export function readLangchain(history: unknown[]): HistoryEntry[] {
  return history.flatMap((message, index) => (isObject(message) ? [readMessage(message, index)] : [])).filter(isSent)
}

const isSent = ({ role }: HistoryEntry): boolean => role !== 'remove' && role !== 'RemoveMessage'

function readMessage(raw: JsonObject, index: number): HistoryEntry {
  const { type, fields, path } = unwrap(raw)
  const isOfJavaScript =
    path === '.kwargs'
      ? Array.isArray(raw.id) && raw.id[0] === 'langchain_core'
      : path === '.data' && !('type' in fields)
  const role = roles.get(type) ?? type
  const at = `messages[${index}]${path}`
  const blank: HistoryEntry = { role, texts: [], media: false, calls: [], raw, index, at }
  const list = isBlank(fields.content) && !isBlank(fields.content_blocks) ? 'content_blocks' : 'content'
  const content = fields[list]
  if (role === 'tool') return readToolMessage(fields, content, blank)
  if (role !== 'assistant' || !Array.isArray(content)) {
    const calls = role === 'assistant' ? readCalls(fields, at, isOfJavaScript) : []
    return { ...blank, ...contentTexts(content), calls }
  }
  const calls = readCalls(fields, at, isOfJavaScript)
  const said = content.filter(block => !isObject(block) || !(isThought(block) || isCallBlock(block)))
  for (const [k, block] of content.entries()) {
    if (!isObject(block) || !isCallBlock(block)) continue
    const call = readBlock(block, `${at}.${list}[${k}]`)
    if (!calls.some(({ id }) => id === call.id)) calls.push(call)
  }
  return { ...blank, ...contentTexts(said), calls }
}

const isBlank = (content: unknown): boolean =>
  content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)

/** The type of a message, its fields, and the path to them. */
function unwrap(raw: JsonObject): { type: string; fields: JsonObject; path: string } {
  if (raw.lc === 1 && isObject(raw.kwargs)) {
    const name = Array.isArray(raw.id) ? String(raw.id.at(-1)) : ''
    return { type: name, fields: raw.kwargs, path: '.kwargs' }
  }
  const type = stringOf(raw.role) ?? stringOf(raw.type) ?? ''
  if (isObject(raw.data) && raw.content === undefined) return { type, fields: raw.data, path: '.data' }
  return { type, fields: raw, path: '' }
}

const roles = new Map([
  ...['human', 'HumanMessage', 'HumanMessageChunk'].map(type => [type, 'user'] as const),
  ...['ai', 'AIMessage', 'AIMessageChunk'].map(type => [type, 'assistant'] as const),
  ...['SystemMessage', 'SystemMessageChunk'].map(type => [type, 'system'] as const),
  ...['ToolMessage', 'ToolMessageChunk'].map(type => [type, 'tool'] as const),
])

function readToolMessage(fields: JsonObject, content: unknown, blank: HistoryEntry): HistoryEntry {
  const { texts, media } = contentTexts(content)
  const result: HistoryEntry = { ...blank, texts: texts.length > 0 ? texts : resultTexts(content), media }
  const answers = stringOf(fields.tool_call_id)
  return answers === undefined ? result : { ...result, answers }
}

/**
 * Calls that could not be read count, unless LangChain.js wrote the message: it does not send them. The provider's own list counts
 * if there is no other.
 */
function readCalls(fields: JsonObject, at: string, isOfJavaScript: boolean): EntryCall[] {
  const listed = (isOfJavaScript ? ['tool_calls'] : ['tool_calls', 'invalid_tool_calls']).flatMap(list =>
    objects(fields[list]).map((call, k) => readCall(call, `${at}.${list}[${k}]`)),
  )
  if (listed.length > 0 || !isObject(fields.additional_kwargs)) return listed
  const raw = objects(fields.additional_kwargs.tool_calls)
  return raw.map((call, k) => readCall(call, `${at}.additional_kwargs.tool_calls[${k}]`))
}

function readCall(call: JsonObject, at: string): EntryCall {
  const target = isObject(call.function) ? call.function : call
  const args = textOrJson(target === call ? call.args : target.arguments)
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

function readBlock(block: JsonObject, at: string): EntryCall {
  const [id, input] = callBlocks.get(block.type) ?? ['id', 'input']
  return { id: stringOf(block[id]), name: stringOf(block.name) ?? '', args: textOrJson(block[input]), at }
}
