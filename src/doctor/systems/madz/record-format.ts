import { type CallPart, isRecord, type Part, type ResultPart, type Role } from '../../../core/conversation.ts'
import { type RecordFormat, shortContent, storeFormat } from '../../record-format.ts'
import type { SessionEntry } from './session-file.ts'

/** How a session stores a conversation. Calls are in the content of an entry, or next to it. */
export const madzSessionFormat: RecordFormat<SessionEntry> = {
  format: storeFormat({ root: 'entries', locate: ({ origin }, part) => `entry ${(part?.slot ?? origin ?? 0) + 1}` }),
  dialect: 'openai',
  facts: { system: 'first', systems: 'one' },
  read(entry) {
    const { role } = entry
    if (role === 'tool') return [{ role: 'tool', parts: [resultOf(entry)] }]
    if (typeof role !== 'string' || !roles.has(role)) return []
    return [{ role: role as Role, parts: [...wordsOf(entry), ...(role === 'assistant' ? callsOf(entry) : [])] }]
  },
  write(entry, parts) {
    const [first] = parts
    if (first?.kind === 'result') return { ...entry, tool_call_id: first.id }
    return withCalls(entry, parts.filter(part => part.kind === 'call').map(written))
  },
  answer: (call, _, { content }) => ({ role: 'tool', content, tool_call_id: call.id }),
}

const roles = new Set(['system', 'user', 'assistant'])

function resultOf({ tool_call_id: id, content }: SessionEntry): ResultPart {
  const text = typeof content === 'string' ? shortContent(content) : content
  return { kind: 'result', id: textOf(id), content: text, callKind: 'function', by: 'client' }
}

/** The text of an entry: its content, or what an object with calls holds next to them. */
function wordsOf({ content }: SessionEntry): Part[] {
  const text = isCalling(content) ? (content.content ?? content.text) : content
  if (typeof text === 'string') return text === '' ? [] : [{ kind: 'text', text }]
  return text === undefined || text === null ? [] : [{ kind: 'other', raw: text }]
}

function callsOf(entry: SessionEntry): CallPart[] {
  return listOf(entry)
    .filter(isRecord)
    .map(raw => {
      const called = isRecord(raw.function) ? raw.function : raw
      const { name, arguments: input = raw.args } = called
      return { kind: 'call', id: textOf(raw.id), name: textOf(name), input, callKind: 'function', by: 'client', raw }
    })
}

const listOf = ({ content, tool_calls: ownCalls }: SessionEntry): readonly unknown[] => {
  const list = isCalling(content) ? content.tool_calls : ownCalls
  return Array.isArray(list) ? list : []
}

const isCalling = (content: unknown): content is SessionEntry => isRecord(content) && Array.isArray(content.tool_calls)

const written = ({ id, raw }: CallPart): unknown =>
  (raw as SessionEntry).id === id ? raw : { ...(raw as SessionEntry), id }

/** An entry with these calls. Without any, only its text is left. */
function withCalls(entry: SessionEntry, calls: readonly unknown[]): SessionEntry {
  const { content } = entry
  if (isCalling(content))
    return {
      ...entry,
      content: calls.length > 0 ? { ...content, tool_calls: calls } : (content.content ?? content.text ?? ''),
    }
  if (calls.length > 0) return { ...entry, tool_calls: calls }
  const { tool_calls: _, ...rest } = entry
  return rest
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
