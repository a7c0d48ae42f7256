import { isRecord } from '../../../core/conversation.ts'

/**
 * Whether records are a history: lists of users, log lines and the like also have roles and types, but no content. Results
 * that name neither their call nor their tool say nothing, where there are calls.
 */
export function isHistory(records: readonly unknown[]): boolean {
  const count = records.filter(isMessage).length
  const asked = records.some(hasCalls) ? records.filter(record => isMessage(record) || !isLooseResult(record)) : records
  return count > 0 && count * 2 >= asked.length
}

const hasCalls = (value: unknown): boolean =>
  isRecord(value) && Array.isArray(value.tool_calls) && value.tool_calls.length > 0

const isLooseResult = (value: unknown): boolean =>
  isRecord(value) && value.role === 'tool' && typeof value.content === 'string'

/** A record with content, in the form of any codec. */
function isMessage(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { role, type } = value
  if (typeof role === 'string') return roles.has(role) && hasWords(value, role)
  if (Array.isArray(value.parts)) return true
  if (typeof type !== 'string') return false
  if (speakers.has(type)) return isRecord(value.data) || 'content' in value || 'content_blocks' in value
  if (steps.has(type)) return ['content', 'signature', 'summary', 'error'].some(key => key in value)
  return value.lc === 1 || items.has(type) || (/_(call|output|response|request|result)$/.test(type) && hasId(value))
}

const roles = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'model',
  'tool',
  'function',
  'reasoning',
  'activity',
])
/** The types of LangChain's messages, and of standalone items. */
const speakers = new Set(['human', 'ai', 'system', 'developer', 'tool', 'function', 'chat', 'generic', 'remove'])
const items = new Set(['reasoning', 'item_reference', 'compaction'])
/** Steps of Gemini's Interactions API that have no id. */
const steps = new Set(['user_input', 'model_output', 'thought'])
const words = [
  'content',
  'content_blocks',
  'parts',
  'tool_calls',
  'toolCalls',
  'function_call',
  'toolInvocations',
  'refusal',
]

function hasWords(message: Record<string, unknown>, role: string): boolean {
  if (role === 'tool' && typeof message.content === 'string') return hasId(message) || 'tool_name' in message
  return words.some(key => key in message)
}

const hasId = (value: Record<string, unknown>): boolean =>
  ['call_id', 'tool_call_id', 'toolCallId', 'approval_request_id', 'id'].some(key => typeof value[key] === 'string')
