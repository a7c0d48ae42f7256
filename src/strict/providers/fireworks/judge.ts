import { isObject } from '../../json.ts'
import { refuse } from '../../judge/objection.ts'
import type { Validator } from '../../judge/validator.ts'

/** Fireworks: a message has no fields but those it knows. All that are too many are told at once. */
export const fireworks: Validator = (chat, { format }) => {
  const extra = format === 'openai-chat' ? chat.flatMap(({ wire, at }) => extraFields(wire, at)) : []
  if (extra.length === 0) return []
  const texts = extra.map(
    ({ path, value }) => `Extra inputs are not permitted, field: '${path}', value: ${written(value)}`,
  )
  const count = texts.length === 1 ? '' : `${texts.length} request validation errors: `
  return [refuse('fw-extra', count + texts.join('; '), extra[0].at)]
}

const extraFields = (wire: object, at: string) =>
  Object.entries(wire)
    .filter(([key]) => !known.has(key))
    .map(([key, value]) => ({ at, path: `${at}.${key}`, value }))

/** All that OpenAI writes into messages, and the thoughts of the models. Some of it may be refused as well. */
const known = new Set([
  ...['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'function_call', 'refusal', 'annotations', 'audio'],
  'reasoning_content',
])

/** A value as Python writes it. */
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
