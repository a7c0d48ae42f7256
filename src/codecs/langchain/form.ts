import { isRecord, type Role } from '../../core/conversation.ts'

export type Fields = Readonly<Record<string, unknown>>

/**
 * The ways to write a message: an object of a message class, that object as JSON (`constructor`), the form of message
 * stores (`stored`), and plain fields (`flat`).
 */
export type Form = 'instance' | 'constructor' | 'stored' | 'flat'

export function formOf(raw: Fields): Form {
  if (typeof raw._getType === 'function') return 'instance'
  if (raw.lc === 1 && Array.isArray(raw.id) && isRecord(raw.kwargs)) return 'constructor'
  return isRecord(raw.data) && raw.content === undefined ? 'stored' : 'flat'
}

/** Where the fields of a message stand in it; the message itself, where it is none of these. */
export const holders: Readonly<Partial<Record<Form, string>>> = { constructor: 'kwargs', stored: 'data' }

/** What a message says, whichever form it has. */
export function fieldsOf(raw: Fields): Fields {
  const form = formOf(raw)
  return (form === 'constructor' ? raw.kwargs : form === 'stored' ? raw.data : raw) as Fields
}

/** What a message calls itself: the name of its class, its type or its role. */
export function typeOf(raw: Fields): unknown {
  const form = formOf(raw)
  if (form === 'instance') return (raw as { _getType(): unknown })._getType()
  if (form === 'constructor') return (raw.id as unknown[]).at(-1)
  return form === 'flat' && typeof raw.role === 'string' ? raw.role : raw.type
}

export const roleOf = (type: unknown): Role => roles.get(type) ?? 'other'

const roles: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ...(['human', 'user', 'HumanMessage', 'HumanMessageChunk'] as const).map(type => [type, 'user'] as const),
  ...(['ai', 'assistant', 'AIMessage', 'AIMessageChunk'] as const).map(type => [type, 'assistant'] as const),
  ...(['system', 'developer', 'SystemMessage', 'SystemMessageChunk'] as const).map(type => [type, 'system'] as const),
  ...(['tool', 'ToolMessage', 'ToolMessageChunk'] as const).map(type => [type, 'tool'] as const),
])

/** The record that stands under a key; an empty one if none does. */
export const record = (value: unknown): Fields => (isRecord(value) ? value : {})

/** A system message that its provider knows as `developer`. */
export const isDeveloper = (type: unknown, fields: Fields): boolean =>
  type === 'developer' || record(fields.additional_kwargs)[developerKey] === 'developer'

export const developerKey = '__openai_role__'
