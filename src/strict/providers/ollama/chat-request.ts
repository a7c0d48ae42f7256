import type { GoType } from './go-types.ts'

const text: GoType = { kind: 'string', name: 'string' }
const flag: GoType = { kind: 'bool', name: 'bool' }
const int: GoType = { kind: 'int', name: 'int' }
const any: GoType = { kind: 'any' }

const list = (of: GoType, name: string): GoType => ({ kind: 'list', name, of })
const struct = (name: string, fields: Record<string, GoType>): GoType => ({ kind: 'struct', name, fields })

const toolCall = struct('api.ToolCall', {
  id: text,
  function: struct('api.ToolCallFunction', {
    index: int,
    name: text,
    arguments: { kind: 'map', name: 'api.ToolCallFunctionArguments' },
  }),
})

/** It is decoded by way of another name, which is what an error says. */
const message = struct('api.Alias', {
  role: text,
  content: text,
  thinking: text,
  images: list({ kind: 'bytes', name: 'api.ImageData' }, '[]api.ImageData'),
  tool_calls: list(toolCall, '[]api.ToolCall'),
  tool_name: text,
  tool_call_id: text,
})

/** One type, or a list of them. */
const propertyType: GoType = {
  kind: 'own',
  name: 'api.PropertyType',
  typeError: value =>
    typeof value === 'string' || (Array.isArray(value) && value.every(one => typeof one === 'string' || one === null))
      ? undefined
      : 'json: cannot unmarshal value into Go value of type []string',
}

const properties: Record<string, GoType> = { type: propertyType, description: text, enum: list(any, '[]interface {}') }
const property = struct('api.ToolProperty', properties)
const nested: GoType = { kind: 'dictionary', name: 'map[string]api.ToolProperty', of: property }
Object.assign(properties, { anyOf: list(property, '[]api.ToolProperty'), properties: nested })

const tool = struct('api.Tool', {
  type: text,
  function: struct('api.ToolFunction', {
    name: text,
    description: text,
    parameters: struct('api.ToolFunctionParameters', {
      type: text,
      required: list(text, '[]string'),
      properties: nested,
    }),
  }),
})

const levels = '"high", "medium", "low", true, or false'

const think: GoType = {
  kind: 'own',
  name: 'api.ThinkValue',
  typeError(value) {
    if (typeof value === 'boolean') return undefined
    if (typeof value !== 'string') return `think must be a boolean or string (${levels})`
    return ['high', 'medium', 'low', 'max'].includes(value)
      ? undefined
      : `invalid think value: ${JSON.stringify(value)} (must be ${levels})`
  },
}

/** Numbers with units, one after the other. */
function isDuration(text: string): boolean {
  const rest = text.replace(/^[+-]/, '')
  return (
    rest === '0' ||
    (rest !== '' && rest.replace(/\d*\.?\d*(ns|us|µs|μs|ms|[smh])/g, unit => (/^\.?\d/.test(unit) ? '' : unit)) === '')
  )
}

/** Seconds, or a text such as `5m`. */
const duration: GoType = {
  kind: 'own',
  name: 'api.Duration',
  typeError(value) {
    if (typeof value === 'number') return undefined
    if (typeof value === 'string')
      return isDuration(value) ? undefined : `time: invalid duration ${JSON.stringify(value)}`
    const type = Array.isArray(value)
      ? '[]interface {}'
      : typeof value === 'boolean'
        ? 'bool'
        : 'map[string]interface {}'
    return `Unsupported type: '${type}'`
  },
}

/** The body of `/api/chat`. Names of fields are compared exactly; Go also takes other cases. */
export const chatRequest = struct('api.ChatRequest', {
  model: text,
  messages: list(message, '[]api.Message'),
  stream: flag,
  format: any,
  keep_alive: duration,
  tools: list(tool, 'api.Tools'),
  options: { kind: 'map', name: 'map[string]interface {}' },
  think,
  truncate: flag,
  shift: flag,
  logprobs: flag,
  top_logprobs: int,
})
