import { isRecord } from '../../core/conversation.ts'
import { isPlaceholder } from '../../core/placeholder.ts'
import { fillLink, isLink } from './fill-link.ts'
import type { Filler } from './filler.ts'
import { fillJson, isPlainKey } from './json-filler.ts'

type Fields = Readonly<Record<string, unknown>>

/** Messages, in whatever wire: how they are built stays, what they say becomes filler. */
export function redactWire(value: unknown, filler: Filler, isAnswer = false, field = ''): unknown {
  if (typeof value === 'string') return fillWords(value, filler, isAnswer)
  if (typeof value === 'number') return filler.number(String(value))
  if (Array.isArray(value)) return value.map(item => redactWire(item, filler, isAnswer, field))
  if (!isRecord(value)) return value
  const answers = isAnswer || isResult(value)
  const isTool = isNamed(value, field) || (answers && envelopes.has(field))
  return mapFields(value, filler, (key, field) => {
    if (isBuild(key, field, value, isTool)) return field
    if (inputs.has(key)) return typeof field === 'string' ? fillJson(field, filler) : redactData(field, filler, answers)
    if (typeof field === 'string') return isLink(key) ? fillLink(field, filler) : fillWords(field, filler, answers)
    if ((answers && outputs.has(key) && !holdsResults(field)) || key === 'response')
      return redactData(field, filler, true)
    return redactWire(field, filler, answers || key === 'toolResult', key)
  })
}

/** Fields that say how a message is built, as far as they do. Who said it and what a file is called is said, not built. */
function isBuild(key: string, field: unknown, within: Fields, isTool: boolean): boolean {
  if (key === 'id' && within.lc !== undefined) return true
  if (typeof field === 'object') return false
  if (sorts.has(key)) return typeof field !== 'string' || /^(?:[!-~]*|tool-.*)$/.test(field)
  if (!names.has(key)) return false
  return key !== 'name' || isTool
}

/** Whether a name is that of a tool, and not of a person, a file, or anything else that data can have. */
const isNamed = (fields: Fields, within: string): boolean =>
  !people.has(fields.role) && !('source' in fields) && (callFields.has(within) || toolKeys.some(key => key in fields))

/** Fields that hold a call or a result. */
const callFields = new Set([
  ...['function', 'custom', 'functionCall', 'function_call', 'functionResponse', 'function_response', 'toolUse'],
  ...['tool_calls', 'toolCalls', 'invalid_tool_calls', 'toolInvocation', 'tools'],
])

/** Fields that hold all of a message, where a wire has such a thing. */
const envelopes = new Set(['data', 'kwargs'])

/** Keys that stand beside the name of a tool. */
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

/** Ids and names stay whatever they look like, since their form can be what is refused. */
const names = new Set([
  ...['name', 'toolName', 'tool_name', 'id', 'call_id', 'tool_call_id', 'tool_use_id', 'toolUseId', 'toolCallId'],
  ...['item_id', 'file_id', 'container_id', 'approval_request_id', 'approvalId', 'response_id', 'messageId'],
  'parentMessageId',
])

/** These are one word from a list. */
const sorts = new Set([
  ...['role', '__openai_role__', 'type', 'lc', 'author', 'status', 'state', 'phase', 'execution', 'object'],
  ...['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'server_label', 'ttl', 'model'],
  ...['media_type', 'mediaType', 'mimeType', 'mime_type', 'detail', 'format', 'activityType', 'activity_type'],
  ...['index', 'exit_code', 'step'],
])

/** What a call is given. */
const inputs = new Set(['arguments', 'args', 'input', 'rawInput', 'json'])

/** What a call gave. */
const outputs = new Set(['content', 'output', 'result', 'value'])

const isResult = ({ role, type, id, tool_call_id, toolInvocation }: Fields): boolean =>
  role === 'tool' ||
  role === 'function' ||
  type === 'tool' ||
  tool_call_id !== undefined ||
  toolInvocation !== undefined ||
  (Array.isArray(id) && id.at(-1) === 'ToolMessage') ||
  (typeof type === 'string' && /[_-](?:result|output)$|^tool-|^dynamic-tool$/.test(type))

/** Some wires have their results in a list under the role of a tool. */
const holdsResults = (field: unknown): boolean =>
  Array.isArray(field) &&
  field.some(item => isRecord(item) && ('toolCallId' in item || 'approvalId' in item || item.type === 'tool-result'))

/** Data of anybody's own: keys that say how it is built stay, and in a result the names of the wire's own blocks. */
export function redactData(value: unknown, filler: Filler, isAnswer: boolean): unknown {
  switch (typeof value) {
    case 'string':
      return fillWords(value, filler, isAnswer)
    case 'number':
      return filler.number(String(value))
    case 'boolean':
      return filler.boolean(value)
  }
  if (Array.isArray(value)) return value.map(item => redactData(item, filler, isAnswer))
  if (!isRecord(value)) return value
  return mapFields(value, filler, (key, field) => {
    if (isAnswer && typeof field === 'string') {
      if ((key === 'type' && blocks.test(field)) || key === 'media_type' || key === 'mediaType' || key === 'mimeType')
        return field
      if (isLink(key)) return fillLink(field, filler)
    }
    return redactData(field, filler, isAnswer)
  })
}

/** The blocks that a result is written in. */
const blocks =
  /^(?:text|json|image|image_url|document|file|audio|video|media|content|base64|url|resource|ephemeral|refusal|(?:in|out)put_(?:text|image|file)|error-(?:text|json)|execution-denied|(?:file|image)-(?:data|url|id)|\w+_(?:result|error|reference|location|screenshot))$/

/** A placeholder stays one, in our words: what is made up counts for less than what was said. */
function fillWords(text: string, filler: Filler, isAnswer: boolean): string {
  if (!isAnswer || !isPlaceholder({ kind: 'result', id: '', content: text, sort: 'function', by: 'client' }))
    return filler.text(text)
  return `${mark}${filler.text(text).slice(mark.length).trim() || 'x'}`
}

const mark = '[no result] '

const mapFields = (record: Fields, filler: Filler, change: (key: string, field: unknown) => unknown): unknown =>
  Object.fromEntries(
    Object.entries(record).map(([key, field]) => [isPlainKey(key) ? key : filler.text(key), change(key, field)]),
  )
