import { asFields, type MutableFields } from '../../../core/request/body-draft.ts'
import { rewriteParts } from '../../../core/request/parts.ts'
import type { RequestDraft } from '../request-draft.ts'

/** Keys without which a request is not what the caller asked for. They go only where they hold nothing. */
export const essential = new Set([
  ...[
    'model',
    'modelId',
    'messages',
    'input',
    'contents',
    'tools',
    'stream',
    'system',
    'instructions',
    'role',
    'content',
    'parts',
  ],
  ...[
    'tool_calls',
    'tool_call_id',
    'tool_use_id',
    'call_id',
    'type',
    'text',
    'arguments',
    'function',
    'source',
    'parameters',
  ],
  ...['input_schema', 'image_url', 'output', 'toolUse', 'toolResult', 'functionCall', 'functionResponse', 'toolConfig'],
])

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

export const mayDrop = (fields: MutableFields, key: string): boolean =>
  Object.hasOwn(fields, key) &&
  (isNothing(fields[key]) || !(essential.has(key) || isNameOfTool(fields, key) || isChoice(fields, key)))

/** A choice of tools other than the default. */
const isChoice = (fields: MutableFields, key: string): boolean => key === 'tool_choice' && fields[key] !== 'auto'

/** The name of a tool or of a call identifies it; that of a message only names the sender, and a result is known by its id. */
const isNameOfTool = (fields: MutableFields, key: string): boolean =>
  key === 'name' && fields.type !== 'tool_result' && (typeof fields.role !== 'string' || fields.role === 'function')

/** Removes a field, unless the request would no longer be what the caller asked for. */
export function drop(draft: RequestDraft, fields: MutableFields, key: string, at: string): void {
  if (!mayDrop(fields, key)) return
  const isReasoning = /reason|think/.test(key) && hasWords(fields[key])
  draft.change(
    isReasoning || key === 'reasoning_details' ? 'lossy' : 'lossless',
    at,
    `the field ${key}, which the provider does not know, is removed`,
    () => delete fields[key],
  )
}

const hasWords = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() !== '' : Array.isArray(value) && value.length > 0

/** Formats whose lists have nothing but messages. Items and steps of other formats have keys of their own, by their type. */
export const messagesOnly: ReadonlySet<string> = new Set(['anthropic', 'openai-chat', 'gemini', 'bedrock'])

/** Keys that messages of some roles have. Any other key, such as an id or a time that a program stores, belongs to no role. */
export const ofSomeRoles: ReadonlySet<string> = new Set([
  ...['name', 'tool_calls', 'tool_call_id', 'function_call', 'prefix', 'partial', 'weight', 'status', 'images'],
  ...['tool_plan', 'tool_name', 'documents', 'output_config', 'clear_at'],
])

/** Fields that one API adds to messages, and others do not know. */
export const foreign: ReadonlySet<string> = new Set([
  ...['reasoning', 'reasoning_content', 'reasoning_details', 'reasoning_text', 'thinking_blocks', 'thinking'],
  ...['annotations', 'extra_content', 'provider_specific_fields', 'cache_control', 'citations', 'audio', 'refusal'],
])

/**
 * Removes what else the messages and their blocks hold that no API knows, and fields that hold nothing: a provider that rejects one unknown
 * field rejects them all, and many name only the first. Such fields are a program's own, as an id, a time or the state of a stream.
 */
export function dropFieldsOfNoApi(draft: RequestDraft): void {
  if (draft.format !== 'openai-chat' && draft.format !== 'anthropic') return
  draft.history.forEach((message, index) => {
    const fields = asFields(message) ?? {}
    for (const key of Object.keys(fields))
      if (isNothing(fields[key]) ? key !== 'content' : !isOfMessages(key))
        drop(draft, fields, key, `${draft.root}[${index}].${key}`)
  })
  if (draft.format !== 'anthropic') return
  rewriteParts(draft, (part, { at }) => {
    const known = fieldsOfBlocks.get(part.type)
    for (const key of known ? Object.keys(part) : [])
      if (key !== 'type' && !known?.includes(key)) drop(draft, part, key, `${at}.${key}`)
    return part
  })
}

/** Removes the reasoning and the notes that gateways add to chat messages, for a provider that knows no field of a gateway. */
export function dropFieldsOfGateways(draft: RequestDraft): void {
  draft.history.forEach((message, index) => {
    const fields = asFields(message) ?? {}
    for (const key of ofGateways) drop(draft, fields, key, `${draft.root}[${index}].${key}`)
  })
}

const ofGateways = [
  ...['reasoning_content', 'reasoning_details', 'reasoning_text', 'thinking_blocks', 'provider_specific_fields'],
  ...['extra_content'],
]

const isOfMessages = (key: string): boolean =>
  essential.has(key) || ofSomeRoles.has(key) || foreign.has(key) || ofGroq.has(key)

const ofGroq: ReadonlySet<string> = new Set(['executed_tools', 'channel'])

/** The fields of Anthropic's most common blocks. The fields of other blocks are not known completely. */
const fieldsOfBlocks: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text', ['text', 'citations', 'cache_control']],
  ['thinking', ['thinking', 'signature']],
  ['redacted_thinking', ['data']],
  ['image', ['source', 'cache_control']],
  ['tool_use', ['id', 'name', 'input', 'caller', 'cache_control']],
  ['tool_result', ['tool_use_id', 'content', 'is_error', 'cache_control']],
])
