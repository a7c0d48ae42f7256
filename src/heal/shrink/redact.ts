import { isRecord } from '../../core/conversation.ts'

/** Whether the text at a path is kept. */
export type Keeps = (path: string) => boolean

/**
 * The messages with all content hidden: letters become x, digits 0, and lengths and defects stay. Ids, roles, types and
 * tool names stay. Arguments that are JSON stay JSON.
 */
export const redact = (history: readonly unknown[], root: string, keeps: Keeps = () => false): unknown[] =>
  history.map((message, index) => redactValue(message, `${root}[${index}]`, keeps))

/** Fields that are structure, not content. */
const structure = new Set([
  ...[
    'role',
    'type',
    'id',
    'call_id',
    'tool_call_id',
    'tool_use_id',
    'toolUseId',
    'item_id',
    'itemId',
    'name',
    'tool_name',
  ],
  ...['status', 'phase', 'execution', 'media_type', 'detail', 'server_label', 'stop_reason', 'finish_reason'],
  ...['index', 'exit_code', 'toolCallId', 'activityType', 'mimeType', 'mime_type'],
])

function redactValue(value: unknown, path: string, keeps: Keeps): unknown {
  if (typeof value === 'string') return redactText(value, path, keeps)
  if (typeof value === 'number') return 0
  if (Array.isArray(value)) return value.map((item, index) => redactValue(item, `${path}[${index}]`, keeps))
  if (!isRecord(value)) return value
  const isPerson = value.role === 'user' || value.role === 'system' || value.role === 'developer'
  const isFile = 'source' in value
  return mapFields(value, path, (key, field, at) => {
    if (typeof field !== 'object' && structure.has(key) && !(key === 'name' && (isPerson || isFile))) return field
    if (key === 'arguments' || key === 'input' || key === 'json') return redactInput(field, at, keeps)
    return isResult(value) && typeof field !== 'string' && contents.has(key)
      ? redactOutput(field, at, keeps)
      : redactValue(field, at, keeps)
  })
}

const isResult = ({ role, type }: Record<string, unknown>): boolean =>
  role === 'tool' ||
  role === 'function' ||
  (typeof type === 'string' && type !== 'model_output' && /_(result|output)$/.test(type))

const contents = new Set(['content', 'output', 'result'])

/** Fields of the blocks of an output that are not content. */
const blockFields = new Set(['type', 'media_type', 'mime_type'])

/** The output of a tool: a list of blocks keeps their types; anything else is data of the tool. */
function redactOutput(value: unknown, path: string, keeps: Keeps): unknown {
  return Array.isArray(value)
    ? value.map((block, index) => redactData(block, `${path}[${index}]`, keeps, key => blockFields.has(key)))
    : redactData(value, path, keeps)
}

/** The input of a tool: JSON, as text or as a value, or free text. */
function redactInput(value: unknown, path: string, keeps: Keeps): unknown {
  if (typeof value !== 'string') return redactData(value, path, keeps)
  if (keeps(path)) return value
  try {
    return JSON.stringify(redactData(JSON.parse(value), path, () => false))
  } catch {
    return hide(value)
  }
}

function redactData(
  value: unknown,
  path: string,
  keeps: Keeps,
  isStructural: (key: string) => boolean = () => false,
): unknown {
  switch (typeof value) {
    case 'string':
      return redactText(value, path, keeps)
    case 'number':
      return 0
    case 'boolean':
      return false
  }
  if (Array.isArray(value))
    return value.map((item, index) => redactData(item, `${path}[${index}]`, keeps, isStructural))
  if (!isRecord(value)) return value
  return mapFields(value, path, (key, field, at) =>
    typeof field === 'string' && isStructural(key) ? field : redactData(field, at, keeps, isStructural),
  )
}

const mapFields = (
  record: Record<string, unknown>,
  path: string,
  change: (key: string, field: unknown, at: string) => unknown,
): unknown =>
  Object.fromEntries(Object.entries(record).map(([key, field]) => [key, change(key, field, `${path}.${key}`)]))

const redactText = (value: string, path: string, keeps: Keeps): string =>
  value === '' || keeps(path) ? value : hide(value)

const hide = (value: string): string => value.replace(/\p{L}/gu, 'x').replace(/\p{N}/gu, '0')
