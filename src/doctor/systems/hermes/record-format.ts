import { isRecord, type Message, type Part, type ResultPart } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import {
  type RecordContent,
  type RecordFields,
  type RecordFormat,
  shortContent,
  storeFormat,
} from '../../record-format.ts'

/** A row of `messages`, without long contents. A row that is made or changed says what it holds now. */
export interface MessageRow {
  readonly id: number
  readonly role: string
  /** The beginning of its content. */
  readonly content: string
  readonly tool_call_id: string | null
  readonly tool_name: string | null
  readonly calls: readonly StoredCall[]
  /** The ids of its calls after the repair, by their index; other calls are removed. */
  readonly kept?: readonly { readonly raw: number; readonly id: string }[]
}

export interface StoredCall {
  /** The id that its result has. */
  readonly id: string
  readonly name: string
}

/** The calls in the column of a row. In sessions of Codex models a result names `call_id`. */
export const callsIn = (text: unknown): readonly RecordFields[] => {
  const calls = typeof text === 'string' ? tryParseJson(text) : undefined
  return Array.isArray(calls) ? calls.filter(isRecord) : []
}

export const storedCall = ({ id, call_id, function: called }: RecordFields): StoredCall => ({
  id: String(call_id || id || ''),
  name: String(isRecord(called) ? called.name : ''),
})

/** The rows of a session are messages of Chat Completions. */
export const sessionFormat = (rows: readonly MessageRow[]): RecordFormat<MessageRow> => ({
  format: storeFormat({
    root: 'messages',
    input: 'text',
    locate: ({ origin = 0 }: Message, part?: Part) => `message ${rows[part?.slot ?? origin]?.id}`,
  }),
  dialect: 'openai',
  // The program takes the second of two calls with one id for a copy, and sends an empty list of calls.
  facts: { uniqueIds: 'history' },
  read: contentsOf,
  write(row, parts) {
    const [first] = parts
    if (first?.kind === 'result') return { ...row, tool_call_id: first.id }
    return {
      ...row,
      kept: parts.flatMap(part => (part.kind === 'call' ? [{ raw: part.raw as number, id: part.id }] : [])),
    }
  },
  answer: (call, row, { content }) => ({
    id: row.id,
    role: 'tool',
    content: String(content),
    tool_call_id: call.id,
    tool_name: call.name,
    calls: [],
  }),
})

function contentsOf(row: MessageRow): readonly RecordContent[] {
  const { role, content, calls } = row
  if (role === 'tool') return [{ role, parts: [resultOf(row)] }]
  if (role === 'system') return [{ role, parts: [{ kind: 'text', text: content }] }]
  if (role !== 'user' && role !== 'assistant') return []
  const asked = calls.map(({ id, name }, raw) => ({
    kind: 'call' as const,
    id,
    name,
    input: '{}',
    callKind: 'function',
    by: 'client' as const,
    raw,
  }))
  const text = content === '' && role === 'assistant' ? [] : [{ kind: 'text' as const, text: content, raw: -1 }]
  return [{ role, parts: [...text, ...asked] }]
}

const resultOf = ({ tool_call_id: id, tool_name: name, content }: MessageRow): ResultPart => ({
  kind: 'result',
  id: id ?? '',
  ...(name ? { name } : {}),
  content: shortContent(content),
  callKind: 'function',
  by: 'client',
})
