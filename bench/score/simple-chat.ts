import type { Fields } from '../../test/laws/plan.ts'
import type { Call, Message } from '../histories.ts'

/** A conversation with nothing in it but what every peer's shape can say: words, calls and results, each result with its tool's name. */
export function simplify(messages: unknown[]): unknown[] {
  const names = new Map<unknown, unknown>()
  return (messages as Fields[]).map(message => {
    const content = textOf(message.content)
    if (message.role === 'tool')
      return { role: 'tool', tool_call_id: message.tool_call_id, name: names.get(message.tool_call_id), content }
    if (message.role !== 'assistant') return { role: message.role === 'user' ? 'user' : 'system', content }
    if (!Array.isArray(message.tool_calls)) return { role: 'assistant', content }
    const calls = (message.tool_calls as Call[]).map(({ id, type, function: called }) => ({
      id,
      type,
      function: called,
    }))
    for (const call of calls) names.set(call.id, call.function.name)
    return { role: 'assistant', content: content || null, tool_calls: calls }
  })
}

/** The broken history as a peer can be given it, or undefined where only JSON can say it: a number as a message, a role of no one. */
export function asMessages(history: unknown[]): Message[] | undefined {
  const messages = history.map(asMessage)
  return messages.every(message => message !== undefined) ? messages : undefined
}

function asMessage(value: unknown): Message | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { role, content, tool_call_id: id, tool_calls: calls, name } = value as Fields
  const text = textOf(content)
  if (text === undefined || !roles.has(role)) return undefined
  const message: Message = { role: role as Message['role'], content: text }
  if (role === 'tool') {
    if (typeof id !== 'string') return undefined
    message.tool_call_id = id
    if (typeof name === 'string') message.name = name
  }
  if (calls === undefined) return message
  if (role !== 'assistant' || !Array.isArray(calls) || !calls.every(isCall)) return undefined
  return calls.length > 0 ? { ...message, content: text || null, tool_calls: calls } : message
}

const roles = new Set<unknown>(['system', 'user', 'assistant', 'tool'])

function isCall(value: unknown): value is Call {
  const { id, function: called } = (value ?? {}) as Fields
  const { name, arguments: json } = (called ?? {}) as Fields
  return [id, name, json].every(field => typeof field === 'string')
}

/** Text parts as one text; undefined for what is not text. */
function textOf(content: unknown): string | undefined {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return content.map((part: Fields) => (typeof part?.text === 'string' ? part.text : '')).join('')
}
