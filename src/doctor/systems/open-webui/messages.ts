import type { DatabaseSync } from 'node:sqlite'
import { isRecord, type Part } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { fileError } from '../../files/file-error.ts'
import { type RecordContent, type RecordFields, shortContent } from '../../record-format.ts'

/** A message of the branch that is sent next. */
export interface ChatMessage {
  readonly id: string
  readonly fields: RecordFields
}

/** The messages from the first one to the current one. Throws a one-line error if the chat cannot be read. */
export function branchOf(database: DatabaseSync, chat: string, place: string): readonly ChatMessage[] {
  const row = database.prepare('select * from chat where id = ?').get(chat)
  const value = tryParseJson(String(row?.chat ?? ''))
  const history = isRecord(value) && isRecord(value.history) ? value.history : undefined
  if (!history) throw fileError(place, 'it has no history')
  const rows = messagesInRows(database, chat)
  const messages = rows.size > 0 ? rows : messagesIn(history)
  const branch: ChatMessage[] = []
  const seen = new Set<string>()
  let id: unknown = row?.current_message_id ?? history.currentId
  for (let fields = messages.get(String(id)); fields && !seen.has(String(id)); fields = messages.get(String(id))) {
    seen.add(String(id))
    branch.push({ id: String(id), fields })
    id = fields.parentId
  }
  return branch.reverse()
}

/** Since 2026 the rows of `chat_message` are sent, if there are any. */
function messagesInRows(database: DatabaseSync, chat: string): Map<string, RecordFields> {
  const messages = new Map<string, RecordFields>()
  const isThere = database.prepare("select 1 from sqlite_schema where type = 'table' and name = 'chat_message'").get()
  if (!isThere) return messages
  const rows = database.prepare('select id, role, parent_id, content, output, done from chat_message where chat_id = ?')
  for (const { id, role, parent_id: parentId, content, output, done } of rows.iterate(chat)) {
    const name = String(id).startsWith(`${chat}-`) ? String(id).slice(chat.length + 1) : String(id)
    messages.set(name, { role, parentId, content: columnValue(content), output: columnValue(output), done: done !== 0 })
  }
  return messages
}

const messagesIn = ({ messages }: RecordFields): Map<string, RecordFields> =>
  new Map(Object.entries(isRecord(messages) ? messages : {}).flatMap(([id, one]) => (isRecord(one) ? [[id, one]] : [])))

const columnValue = (column: unknown): unknown => (typeof column === 'string' ? tryParseJson(column) : undefined)

/** What the model sees of a message: its output if it has one, otherwise its content. */
export function readMessage({ fields: { role, content, output } }: ChatMessage): readonly RecordContent[] {
  if (role !== 'assistant') return [{ role: role === 'system' ? 'system' : 'user', parts: contentParts(content) }]
  if (!Array.isArray(output) || output.length === 0) return [{ role, parts: contentParts(content) }]
  const contents: { role: 'assistant' | 'tool'; parts: Part[] }[] = []
  for (const [raw, item] of output.filter(isRecord).entries()) {
    const part = outputPart(item, raw)
    const last = contents.at(-1)
    if (part.kind === 'result') contents.push({ role: 'tool', parts: [part] })
    else if (last?.role === 'assistant') last.parts.push(part)
    else contents.push({ role: 'assistant', parts: [part] })
  }
  return contents
}

const contentParts = (content: unknown): Part[] =>
  (Array.isArray(content) ? content : [content]).map((block, raw): Part => {
    const text = isRecord(block) ? block.text : block
    return typeof text === 'string' ? { kind: 'text', text: shortContent(text), raw } : { kind: 'other', raw }
  })

function outputPart(item: RecordFields, raw: number): Part {
  const id = String(item.call_id ?? '')
  switch (item.type) {
    case 'message':
      return { kind: 'text', text: shortContent(textOf(item.content)), raw }
    case 'function_call': {
      const input = (typeof item.arguments === 'string' && tryParseJson(item.arguments)) || item.arguments || {}
      return { kind: 'call', id, name: String(item.name ?? ''), input, callKind: 'function', by: 'client', raw }
    }
    case 'function_call_output':
      return { kind: 'result', id, content: shortContent(textOf(item.output)), callKind: 'function', by: 'client', raw }
    case 'reasoning':
      return { kind: 'reasoning', text: shortContent(textOf(item.summary) || textOf(item.content)), signed: false, raw }
    default:
      return { kind: 'other', raw }
  }
}

const textOf = (content: unknown): string =>
  (Array.isArray(content) ? content : [content])
    .flatMap(part => {
      const text = isRecord(part) ? part.text : part
      return typeof text === 'string' ? [text] : []
    })
    .join('\n')
