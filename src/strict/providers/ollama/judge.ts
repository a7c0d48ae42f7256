import { isObject, type JsonObject } from '../../json.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'

/** The handler reads a request into Go types, and rejects values of other types. It looks at no pairs and no order. */
export const validateOllama: Validator = (_chat, { format, messages }) =>
  format === 'ollama' ? messages.flatMap(judgeMessage) : []

function judgeMessage(message: JsonObject, index: number): RejectionReason[] {
  const at = `messages[${index}]`
  return [
    ...['role', 'content', 'thinking', 'tool_name'].flatMap(key => judgeText(message[key], key, `${at}.${key}`)),
    ...judgeImages(message.images, `${at}.images`),
    ...judgeCalls(message.tool_calls, `${at}.tool_calls`),
  ]
}

/** Null leaves the field empty, as if it were missing. */
const judgeText = (value: unknown, key: string, at: string): RejectionReason[] =>
  value === undefined || value === null || typeof value === 'string'
    ? []
    : [reject(key === 'content' ? 'ol-content' : 'ol-field', unmarshal(value, key, 'string'), at)]

function judgeImages(images: unknown, at: string): RejectionReason[] {
  if (images === undefined || images === null) return []
  if (!Array.isArray(images)) return [reject('ol-field', unmarshal(images, 'images', '[]api.ImageData'), at)]
  return images.flatMap((image, k) => {
    if (image === null) return []
    if (typeof image !== 'string')
      return [reject('ol-field', unmarshal(image, 'images', 'api.ImageData'), `${at}[${k}]`)]
    const offset = illegalByte(image)
    return offset < 0 ? [] : [reject('ol-base64', `illegal base64 data at input byte ${offset}`, `${at}[${k}]`)]
  })
}

/** Where base64 ends to be it; -1 if it is all right. */
function illegalByte(text: string): number {
  const [padded = ''] = /^[A-Za-z0-9+/\r\n]*(=[\r\n]*){0,2}/.exec(text) ?? []
  if (padded.length < text.length) return padded.length
  const letters = text.replace(/[\r\n]/g, '').length
  return letters % 4 === 0 ? -1 : letters - (letters % 4)
}

function judgeCalls(calls: unknown, at: string): RejectionReason[] {
  if (calls === undefined || calls === null) return []
  if (!Array.isArray(calls)) return [reject('ol-field', unmarshal(calls, 'tool_calls', '[]api.ToolCall'), at)]
  return calls.flatMap((call, k) => {
    const place = `${at}[${k}]`
    if (call === null) return []
    if (!isObject(call)) return [reject('ol-field', unmarshal(call, 'tool_calls', 'api.ToolCall'), place)]
    return judgeFunction(call.function, `${place}.function`)
  })
}

function judgeFunction(called: unknown, at: string): RejectionReason[] {
  if (called === undefined || called === null) return []
  if (!isObject(called))
    return [reject('ol-field', unmarshal(called, 'tool_calls.function', 'api.ToolCallFunction'), at)]
  const { name, arguments: input } = called
  const key = 'tool_calls.function.arguments'
  const isObjectOrNone = input === undefined || input === null || isObject(input)
  return [
    ...judgeText(name, 'tool_calls.function.name', `${at}.name`),
    ...(isObjectOrNone
      ? []
      : [reject('ol-arguments', unmarshal(input, key, 'api.ToolCallFunctionArguments'), `${at}.arguments`)]),
  ]
}

const unmarshal = (value: unknown, key: string, type: string): string =>
  `json: cannot unmarshal ${kindOf(value)} into Go struct field ChatRequest.messages.${key} of type ${type}`

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
