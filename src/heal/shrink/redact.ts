import { isRecord } from '../../core/conversation.ts'

/** Whether the text at a path stays as it is. */
export type Keeps = (path: string) => boolean

/**
 * The messages without a word of what was said: letters become x, digits 0, and what is left is as long and as broken
 * as it was. Ids, roles, types and names of tools stay. Arguments that are JSON stay JSON.
 */
export const redact = (history: readonly unknown[], root: string, keeps: Keeps = () => false): unknown[] =>
  history.map((message, index) => wire(message, `${root}[${index}]`, keeps))

/** Fields of a wire that say how it is built, not what was said. */
const structure = new Set([
  ...['role', 'type', 'id', 'call_id', 'tool_call_id', 'tool_use_id', 'toolUseId', 'item_id', 'name', 'tool_name'],
  ...['status', 'phase', 'execution', 'media_type', 'detail', 'server_label', 'stop_reason', 'finish_reason'],
  ...['index', 'exit_code', 'toolCallId', 'activityType', 'mimeType'],
])

function wire(value: unknown, path: string, keeps: Keeps): unknown {
  if (typeof value === 'string') return text(value, path, keeps)
  if (typeof value === 'number') return 0
  if (Array.isArray(value)) return value.map((item, index) => wire(item, `${path}[${index}]`, keeps))
  if (!isRecord(value)) return value
  const isPerson = value.role === 'user' || value.role === 'system' || value.role === 'developer'
  const isFile = 'source' in value
  return mapFields(value, path, (key, field, at) => {
    if (typeof field !== 'object' && structure.has(key) && !(key === 'name' && (isPerson || isFile))) return field
    if (key === 'arguments' || key === 'input' || key === 'json') return input(field, at, keeps)
    return isResult(value) && typeof field !== 'string' && contents.has(key)
      ? blocks(field, at, keeps)
      : wire(field, at, keeps)
  })
}

const isResult = ({ role, type }: Record<string, unknown>): boolean =>
  role === 'tool' || role === 'function' || (typeof type === 'string' && /_(result|output)$/.test(type))

const contents = new Set(['content', 'output', 'result'])

/** What a tool gave: a list of blocks keeps their types; anything else is the tool's own data. */
function blocks(value: unknown, path: string, keeps: Keeps): unknown {
  return Array.isArray(value)
    ? value.map((block, index) =>
        data(block, `${path}[${index}]`, keeps, key => key === 'type' || key === 'media_type'),
      )
    : data(value, path, keeps)
}

/** What a tool is given: JSON, as text or as a value, or text of its own. */
function input(value: unknown, path: string, keeps: Keeps): unknown {
  if (typeof value !== 'string') return data(value, path, keeps)
  if (keeps(path)) return value
  try {
    return JSON.stringify(data(JSON.parse(value), path, () => false))
  } catch {
    return hide(value)
  }
}

function data(value: unknown, path: string, keeps: Keeps, isBuild: (key: string) => boolean = () => false): unknown {
  switch (typeof value) {
    case 'string':
      return text(value, path, keeps)
    case 'number':
      return 0
    case 'boolean':
      return false
  }
  if (Array.isArray(value)) return value.map((item, index) => data(item, `${path}[${index}]`, keeps, isBuild))
  if (!isRecord(value)) return value
  return mapFields(value, path, (key, field, at) =>
    typeof field === 'string' && isBuild(key) ? field : data(field, at, keeps, isBuild),
  )
}

const mapFields = (
  record: Record<string, unknown>,
  path: string,
  change: (key: string, field: unknown, at: string) => unknown,
): unknown =>
  Object.fromEntries(Object.entries(record).map(([key, field]) => [key, change(key, field, `${path}.${key}`)]))

const text = (value: string, path: string, keeps: Keeps): string => (value === '' || keeps(path) ? value : hide(value))

const hide = (value: string): string => value.replace(/\p{L}/gu, 'x').replace(/\p{N}/gu, '0')
