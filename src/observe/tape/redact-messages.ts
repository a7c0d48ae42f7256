import { type Fields, isRecord } from '../../core/conversation.ts'
import { isPlaceholder } from '../../core/placeholder.ts'
import { isContainer } from '../../heal/shrink/containers.ts'
import { type Filler, fillLink, isLink } from './filler.ts'
import { fillJson, isPlainKey } from './json-filler.ts'

/**
 * Messages in any format with their content replaced by filler. Their structure is kept. `isOpen`: they may be inside any fields, as in an
 * answer of a provider.
 */
export function redactMessages(value: unknown, filler: Filler, isOpen = false, isAnswer = false, field = ''): unknown {
  if (typeof value === 'string') return fillText(value, filler, isAnswer)
  if (typeof value === 'number') return filler.number(String(value))
  if (Array.isArray(value)) return value.map(item => redactMessages(item, filler, isOpen, isAnswer, field))
  if (!isRecord(value)) return value
  const answers = isAnswer || isResult(value)
  const isTool = isNamed(value, field) || (answers && envelopes.has(field))
  return mapFields(value, filler, (key, field) => {
    if (isStructure(key, field, value, isTool)) return field
    if (inputs.has(key)) {
      if (typeof field === 'string') return fillJson(field, filler)
      return answers && key === 'json' ? redactData(field, filler, true) : redactArguments(field, filler)
    }
    if (key === 'metadata') return redactArguments(field, filler)
    if (actions.has(key)) return redactAction(field, filler)
    if (typeof field === 'string') return isLink(key) ? fillLink(field, filler) : fillText(field, filler, answers)
    if ((answers && outputs.has(key) && !holdsResults(field)) || key === 'response')
      return redactData(field, filler, true)
    if (!isOpen && typeof field === 'object' && !isContainer(key, field, value)) return redactArguments(field, filler)
    return redactMessages(field, filler, isOpen, answers || key === 'toolResult', key)
  })
}

/** Whether a field is structure: a type, a status, an id or the name of a tool. Names of people and files are content. */
function isStructure(key: string, field: unknown, within: Fields, isTool: boolean): boolean {
  if (key === 'id' && within.lc !== undefined) return true
  if (typeof field === 'object') return false
  if (key === 'kind') return pydanticKinds.has(field)
  if (enumFields.has(key)) return typeof field !== 'string' || /^(?:[!-~]*|tool-.*)$/.test(field)
  if (!identifierFields.has(key)) return false
  return key !== 'name' || isTool
}

/** Whether `name` is the name of a tool, and not of a person, a file or something else. */
const isNamed = (fields: Fields, within: string): boolean =>
  !people.has(fields.role) && !('source' in fields) && (callFields.has(within) || toolKeys.some(key => key in fields))

/** Fields that hold a call or a result. */
const callFields = new Set([
  ...['function', 'custom', 'functionCall', 'function_call', 'functionResponse', 'function_response', 'toolUse'],
  ...['tool_calls', 'toolCalls', 'invalid_tool_calls', 'toolInvocation', 'tools'],
])

/** Fields that hold a whole message, in formats that have such fields. */
const envelopes = new Set(['data', 'kwargs'])

/** Keys next to the name of a tool. */
const toolKeys = [
  'role',
  'type',
  'arguments',
  'args',
  'input',
  'tool_call_id',
  'toolCallId',
  'call_id',
  'toolUseId',
  'lc',
]

const people = new Set<unknown>(['user', 'system', 'developer', 'human'])

/** Ids and tool names are always kept, since their spelling can be the reason for a rejection. */
const identifierFields = new Set([
  ...['name', 'toolName', 'tool_name', 'id', 'call_id', 'tool_call_id', 'tool_use_id', 'toolUseId', 'toolCallId'],
  ...['item_id', 'itemId', 'file_id', 'container_id', 'approval_request_id', 'approvalId', 'response_id', 'messageId'],
  'parentMessageId',
])

/** Their values come from a fixed list. */
const enumFields = new Set([
  ...['role', '__openai_role__', 'type', 'lc', 'author', 'status', 'state', 'phase', 'execution', 'object'],
  ...['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'server_label', 'ttl', 'model'],
  ...['media_type', 'mediaType', 'mimeType', 'mime_type', 'detail', 'format', 'activityType', 'activity_type'],
  ...['index', 'exit_code', 'step', 'part_kind', 'outcome'],
])

/** What a call of a provider's own tool does: its type, and data. */
const actions = new Set(['action', 'operation'])

const redactAction = (value: unknown, filler: Filler): unknown =>
  isRecord(value) && typeof value.type === 'string'
    ? { ...(redactArguments(value, filler) as Fields), type: value.type }
    : redactArguments(value, filler)

/** `kind` of messages and files of Pydantic AI. Elsewhere it may be anything. */
const pydanticKinds = new Set<unknown>([
  ...['request', 'response', 'image-url', 'audio-url', 'video-url', 'document-url', 'binary'],
])

/** Fields with the arguments of a call. */
const inputs = new Set(['arguments', 'args', 'input', 'rawInput', 'json'])

/** Fields with the result of a call. */
const outputs = new Set(['content', 'output', 'result', 'value'])

const isResult = ({ role, type, id, tool_call_id, toolInvocation }: Fields): boolean =>
  role === 'tool' ||
  role === 'function' ||
  type === 'tool' ||
  tool_call_id !== undefined ||
  toolInvocation !== undefined ||
  (Array.isArray(id) && id.at(-1) === 'ToolMessage') ||
  (typeof type === 'string' && type !== 'model_output' && /[_-](?:result|output)$|^tool-|^dynamic-tool$/.test(type))

/** Some formats have a list of results in a message with the role `tool`. */
const holdsResults = (field: unknown): boolean =>
  Array.isArray(field) &&
  field.some(item => isRecord(item) && ('toolCallId' in item || 'approvalId' in item || item.type === 'tool-result'))

/** Data of a tool: field names are kept, and in a result also the types of the format's own content blocks. */
export function redactData(value: unknown, filler: Filler, isAnswer: boolean): unknown {
  switch (typeof value) {
    case 'string':
      return fillText(value, filler, isAnswer)
    case 'number':
      return filler.number(String(value))
    case 'boolean':
      return filler.boolean(value)
  }
  if (Array.isArray(value)) return value.map(item => redactData(item, filler, isAnswer))
  if (!isRecord(value)) return value
  return mapFields(value, filler, (key, field) => {
    if (isAnswer && typeof field === 'string') {
      if ((key === 'type' && blocks.test(field)) || mediaTypes.has(key)) return field
      if (isLink(key)) return fillLink(field, filler)
    }
    return redactData(field, filler, isAnswer)
  })
}

/** Data of which nothing is known, such as the arguments of a call: all is content but the names of fields that a tool declares. */
export function redactArguments(value: unknown, filler: Filler): unknown {
  if (Array.isArray(value)) return value.map(item => redactArguments(item, filler))
  if (!isRecord(value)) return redactData(value, filler, false)
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [filler.fieldName(key), redactArguments(field, filler)]),
  )
}

const mediaTypes = new Set(['media_type', 'mediaType', 'mimeType', 'mime_type'])

/** The types of content blocks in results. */
const blocks =
  /^(?:text|json|image|image_url|document|file|audio|video|media|content|base64|url|resource|ephemeral|refusal|(?:in|out)put_(?:text|image|file)|error-(?:text|json)|execution-denied|(?:file|image)-(?:data|url|id)|\w+_(?:result|error|reference|location|screenshot))$/

/** A placeholder stays recognizable as one: rules treat it differently from a real result. */
function fillText(text: string, filler: Filler, isAnswer: boolean): string {
  if (!isAnswer || !isPlaceholder({ kind: 'result', id: '', content: text, callKind: 'function', by: 'client' }))
    return filler.text(text)
  return `${placeholderPrefix}${filler.text(text).slice(placeholderPrefix.length).trim() || 'x'}`
}

const placeholderPrefix = '[no result] '

const mapFields = (record: Fields, filler: Filler, change: (key: string, field: unknown) => unknown): unknown =>
  Object.fromEntries(
    Object.entries(record).map(([key, field]) => [isPlainKey(key) ? key : filler.text(key), change(key, field)]),
  )
