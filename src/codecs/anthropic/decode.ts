import { type Blank, type Conversation, isRecord, type Message, type Part, type Role } from '../../core/conversation.ts'
import { isProviderRun } from '../scan.ts'
import { idText, numeric, text } from '../text.ts'
import { wire } from './wire.ts'

/** A user message that holds results becomes one message a result, and one for each stretch of what the user says. */
export function decode(history: readonly unknown[], from = 0, to = history.length, key = 0): Conversation {
  const messages: Message[] = []
  for (let origin = from; origin < to; origin++) {
    const raw = history[origin]
    const role = roleOf(raw)
    if (role === 'other') messages.push({ key: key + messages.length, origin, role, parts: [] })
    else decodeMessage(messages, key, origin, role, (raw as { content?: unknown }).content)
  }
  return { wire, messages, continues: false }
}

function roleOf(raw: unknown): Role {
  if (!isRecord(raw)) return 'other'
  const { role } = raw
  return role === 'user' || role === 'assistant' || role === 'system' ? role : role === 'developer' ? 'system' : 'other'
}

function decodeMessage(messages: Message[], key: number, origin: number, role: Role, content: unknown): void {
  const add = (as: Role, parts: Part[], blank?: Blank): void => {
    messages.push({ key: key + messages.length, origin, role: as, parts, ...(blank === undefined ? {} : { blank }) })
  }
  if (typeof content === 'string' && content !== '') add(role, [{ kind: 'text', text: content }])
  else if (Array.isArray(content) && content.length > 0) decodeBlocks(add, role, content)
  else if (content === undefined || content === null) add(role, [], content === null ? 'null' : 'missing')
  else if (content === '' || Array.isArray(content)) add(role, [], content === '' ? 'empty' : 'missing')
  else add('other', [])
}

function decodeBlocks(add: (role: Role, parts: Part[]) => void, role: Role, content: readonly unknown[]): void {
  let parts: Part[] = []
  for (let slot = 0; slot < content.length; slot++) {
    const part = decodeBlock(content[slot], slot)
    if (role === 'assistant' || part.kind !== 'result') parts.push(part)
    else {
      if (parts.length > 0) add(role, parts)
      add('tool', [part])
      parts = []
    }
  }
  if (parts.length > 0) add(role, parts)
}

function decodeBlock(raw: unknown, slot: number): Part {
  if (!isRecord(raw) || typeof raw.type !== 'string') return { kind: 'other', raw, slot }
  const { type } = raw
  switch (type) {
    case 'text':
      return typeof raw.text === 'string' ? { kind: 'text', text: raw.text, raw, slot } : { kind: 'other', raw, slot }
    case 'tool_use': {
      const id = idText(raw.id)
      const ran = { ...numeric(raw.id), ...(isProviderRun(id) ? { hosted: true as const } : {}) }
      return {
        kind: 'call',
        id,
        name: text(raw.name),
        input: raw.input,
        sort: 'function',
        by: 'client',
        ...ran,
        raw,
        slot,
      }
    }
    case 'tool_result': {
      const error = { ...numeric(raw.tool_use_id), ...(raw.is_error === true ? { error: true as const } : {}) }
      return {
        kind: 'result',
        id: idText(raw.tool_use_id),
        content: raw.content,
        ...error,
        sort: 'function',
        by: 'client',
        raw,
        slot,
      }
    }
    case 'thinking':
      return { kind: 'reasoning', text: text(raw.thinking), signed: isPresent(raw.signature), raw, slot }
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', signed: isPresent(raw.data), raw, slot }
    case 'reasoning':
      return { kind: 'reasoning', text: text(raw.text), signed: false, raw, slot }
  }
  if (type.endsWith('_tool_use')) {
    return {
      kind: 'call',
      id: idText(raw.id),
      name: text(raw.name),
      input: raw.input,
      sort: type,
      by: 'provider',
      raw,
      slot,
    }
  }
  if (type.endsWith('_tool_result')) {
    return { kind: 'result', id: idText(raw.tool_use_id), content: raw.content, sort: type, by: 'provider', raw, slot }
  }
  return { kind: 'other', raw, slot }
}

const isPresent = (value: unknown): boolean => typeof value === 'string' && value !== ''
