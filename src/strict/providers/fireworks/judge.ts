import { isObject } from '../../json.ts'
import { reject } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'

/** Fireworks: rejects unknown fields of messages. It reports all of them at once. */
export const fireworks: Validator = (chat, { format }) => {
  const extra = format === 'openai-chat' ? chat.flatMap(({ raw, at }) => extraFields(raw, at)) : []
  const [first] = extra
  if (!first) return []
  const texts = extra.map(
    ({ path, value }) => `Extra inputs are not permitted, field: '${path}', value: ${written(value)}`,
  )
  const count = texts.length === 1 ? '' : `${texts.length} request validation errors: `
  return [reject('fw-extra', count + texts.join('; '), first.at)]
}

const extraFields = (raw: object, at: string) =>
  Object.entries(raw)
    .filter(([key]) => !known.has(key))
    .map(([key, value]) => ({ at, path: `${at}.${key}`, value }))

/** All fields that OpenAI writes into messages, and the thinking of the models. Some of them may be rejected as well. */
const known = new Set([
  ...['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'function_call', 'refusal', 'annotations', 'audio'],
  'reasoning_content',
])

/** A value in Python's notation. */
function written(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (!isObject(value)) return String(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `'${key}': ${written(inner)}`)
    .join(', ')}}`
}
