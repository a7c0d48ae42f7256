import { isRecord, type Message } from '../../core/conversation.ts'

/** What a message says in fields that are not read: texts, and lists and records that are not empty. Only asked where nothing was read. */
export function besideIn(raw: unknown): Pick<Message, 'beside'> {
  if (!isRecord(raw)) return {}
  const fields = Object.entries(raw).filter(([key, value]) => !silent.test(key) && says(value))
  return fields.length === 0 ? {} : { beside: Object.fromEntries(fields) }
}

function says(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** Fields that are read, and those that say something about a message rather than in it. */
const silent =
  /^(role|content|type|name|refusal|audio|prefix|reasoning_content|function_call|tool_?calls|object|model|index|status|state|usage|metadata|provider|logprobs|system_fingerprint|timestamp|(created|updated|finish|stop|cache)_?\w*)$|(^|_)ids?$|Ids?$/i
