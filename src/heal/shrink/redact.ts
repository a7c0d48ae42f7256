import { isRecord } from '../../core/conversation.ts'
import { isContainer } from './containers.ts'

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
    'toolName',
  ],
  ...['status', 'state', 'phase', 'execution', 'media_type', 'detail', 'server_label', 'stop_reason', 'finish_reason'],
  ...['index', 'exit_code', 'toolCallId', 'approvalId', 'activityType', 'mediaType', 'mimeType', 'mime_type'],
  ...['lc', 'part_kind'],
])

/** `isAnswer`: it is in a result. */
function redactValue(value: unknown, path: string, keeps: Keeps, isAnswer = false): unknown {
  if (typeof value === 'string') return redactText(value, path, keeps)
  if (typeof value === 'number') return 0
  if (Array.isArray(value)) return value.map((item, index) => redactValue(item, `${path}[${index}]`, keeps, isAnswer))
  if (!isRecord(value)) return value
  const isPerson = people.has(value.role) || people.has(value.type)
  const isFile = 'source' in value
  const answers = isAnswer || isResult(value)
  return mapFields(value, path, (key, field, at) => {
    // A serialized message of LangChain has its class as a list.
    if (key === 'id' && value.lc !== undefined) return field
    if (typeof field !== 'object' && structure.has(key) && !(key === 'name' && (isPerson || isFile))) return field
    if (key === 'kind' && pydanticKinds.has(field)) return field
    if (inputs.has(key)) return redactInput(field, at, keeps)
    if (typeof field === 'string') return redactText(field, at, keeps)
    if ((answers && contents.has(key) && !holdsResults(field)) || key === 'response')
      return redactOutput(field, at, keeps)
    // Of other fields nothing is known: what they call a name, an id or a status is content.
    return typeof field !== 'object' || isContainer(key, field, value)
      ? redactValue(field, at, keeps, answers || key === 'toolResult')
      : redactData(field, at, keeps, actions.has(key) ? isBlockField : undefined)
  })
}

const people = new Set<unknown>(['user', 'system', 'developer', 'human'])

/** `kind` of messages and files of Pydantic AI. Elsewhere it may be anything. */
const pydanticKinds = new Set<unknown>([
  ...['request', 'response', 'image-url', 'audio-url', 'video-url', 'document-url', 'binary'],
])

/** Fields with the arguments of a call. */
const inputs = new Set(['arguments', 'args', 'input', 'rawInput', 'json'])

/** Calls of OpenAI's own tools have these instead. */
const actions = new Set(['action', 'operation'])

const isResult = ({ role, type, id, part_kind: kind, toolInvocation }: Record<string, unknown>): boolean =>
  role === 'tool' ||
  role === 'function' ||
  type === 'tool' ||
  toolInvocation !== undefined ||
  (Array.isArray(id) && id.at(-1) === 'ToolMessage') ||
  (typeof kind === 'string' && /-return$|^retry-prompt$/.test(kind)) ||
  (typeof type === 'string' && type !== 'model_output' && /[_-](?:result|output)$|^tool-|^dynamic-tool$/.test(type))

const contents = new Set(['content', 'output', 'result', 'value'])

/** Some formats have a list of results in a message with the role `tool`. */
const holdsResults = (field: unknown): boolean =>
  Array.isArray(field) &&
  field.some(item => isRecord(item) && ('toolCallId' in item || 'approvalId' in item || item.type === 'tool-result'))

type IsStructural = (key: string, field: string) => boolean

/** Fields of the format's own blocks, such as an image, that are not content. */
const isBlockField: IsStructural = key => key === 'type' || mediaTypes.has(key)

const mediaTypes = new Set(['media_type', 'mediaType', 'mimeType', 'mime_type'])

/** The output of a tool: a list of blocks keeps their types; anything else is data of the tool. */
const redactOutput = (value: unknown, path: string, keeps: Keeps): unknown =>
  Array.isArray(value)
    ? value.map((block, index) => redactData(block, `${path}[${index}]`, keeps, isBlockField))
    : redactData(value, path, keeps, isOutputField)

/** The AI SDK has the type of an output next to its value. */
const isOutputField: IsStructural = (key, field) =>
  (key === 'type' && outputTypes.test(field)) || (key !== 'type' && isBlockField(key, field))

const outputTypes =
  /^(?:text|json|content|media|image|(?:file|image)-(?:data|url|id)|error-(?:text|json)|execution-denied|\w+_(?:result|error|screenshot))$/

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

function redactData(value: unknown, path: string, keeps: Keeps, isStructural: IsStructural = () => false): unknown {
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
    typeof field === 'string' && isStructural(key, field) ? field : redactData(field, at, keeps, isStructural),
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
