import { isObject, type JsonObject, objectOf, objects, stringOf } from '../../json.ts'
import { codePoints } from '../../judge/code-points.ts'
import { estimateTokens } from '../../judge/estimate.ts'
import { readImageHeader } from '../../judge/image-header.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'

/** What the schema rejects in a whole request, before the history is checked. */
export function requestForms({ messages, body }: RawRequest): RejectionReason[] {
  if (!body) return []
  const tools = objects(body.tools).map(tool => stringOf(objectOf(tool.function ?? tool.custom).name))
  return [
    ...longList('oc-tools-count', 'tools', body.tools),
    ...tools.flatMap((name, k) => nameForm('oc-tool-name', name, `tools[${k}].function.name`)),
    ...messages.flatMap((message, n) => [
      ...longList('oc-calls-count', `messages[${n}].tool_calls`, message.tool_calls),
      ...objects(message.tool_calls).flatMap((call, k) =>
        nameForm('oc-tool-name', objectOf(call.function).name, `messages[${n}].tool_calls[${k}].function.name`),
      ),
      ...longStrings('oc-string', message.content, `messages[${n}].content`),
      ...objects(message.content).flatMap(({ type }, k) => partType(type, `messages[${n}].content[${k}].type`)),
    ]),
  ]
}

/** The limits of a request, which are checked last. */
export function requestLimits({ messages, body, model = '' }: RawRequest): RejectionReason[] {
  if (!body) return []
  const urls = messages.flatMap(({ content }, n) =>
    objects(content).flatMap(({ image_url }, k) => {
      const url = isObject(image_url) ? image_url.url : image_url
      return typeof url === 'string' ? [{ url, at: `messages[${n}].content[${k}]` }] : []
    }),
  )
  return [...urls.flatMap(({ url, at }) => imageFormat('oc-image-format', url, at)), ...window(messages, body, model)]
}

function window(messages: JsonObject[], body: JsonObject, model: string): RejectionReason[] {
  const max = inputMax(model)
  const used = estimateTokens(messages, body.tools)
  if (max === undefined || used <= max) return []
  const details = { param: 'messages', code: 'context_length_exceeded' }
  if (five.test(model)) {
    const text = `Input tokens exceed the configured limit of ${max} tokens. Your messages resulted in ${used} tokens. Please reduce the length of the messages.`
    return [reject('oc-context-limit', text, 'messages', details)]
  }
  const text = `This model's maximum context length is ${max} tokens. However, your messages resulted in ${used} tokens. Please reduce the length of the messages.`
  return [reject('oc-context', text, 'messages', details)]
}

/** How many input tokens a model accepts, if known. */
export function inputMax(model: string): number | undefined {
  if (five.test(model)) return /gpt-5\.([4-9]|\d\d)/.test(model) ? 922_000 : 272_000
  return /gpt-4o|gpt-4-turbo|o1-(mini|preview)/.test(model) ? 128_000 : undefined
}

const five = /^gpt-5/

export function longList(fact: string, path: string, list: unknown): RejectionReason[] {
  const length = Array.isArray(list) ? list.length : 0
  const text = `Invalid '${path}': array too long. Expected an array with maximum length ${listMax}, but got an array with length ${length} instead.`
  return length > listMax ? [reject(fact, text, path, { param: path, code: 'array_above_max_length' })] : []
}

const listMax = 128

/** An empty name is a different error. */
export function nameForm(fact: string, name: unknown, path: string): RejectionReason[] {
  if (typeof name !== 'string' || name === '' || /^[a-zA-Z0-9_-]+$/.test(name)) return []
  const text = `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
  return [reject(fact, text, path, { param: path, code: 'invalid_value' })]
}

/** The texts of a content, or the content itself. */
export function longStrings(fact: string, content: unknown, path: string): RejectionReason[] {
  const strings = objects(content).map(({ text }, k) => ({ text, path: `${path}[${k}].text` }))
  return [{ text: content, path }, ...strings].flatMap(({ text, path }) => {
    if (typeof text !== 'string' || text.length <= stringMax) return []
    const message = `Invalid '${path}': string too long. Expected a string with maximum length ${stringMax}, but got a string with length ${codePoints(text)} instead.`
    return [reject(fact, message, path, { param: path, code: 'string_above_max_length' })]
  })
}

const stringMax = 10_485_760

/** Types of other providers. An unknown type may be a new one. */
function partType(type: unknown, path: string): RejectionReason[] {
  if (!foreign.has(type)) return []
  const text = `Invalid value: '${type}'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.`
  return [rejectPedantically('oc-part-type', text, path, { param: path, code: 'invalid_value' })]
}

const foreign = new Set<unknown>(['thinking', 'redacted_thinking', 'reasoning', 'tool_use', 'tool_result', 'image'])

/** An inline image of an unsupported type, by its bytes, or else by its declared type. */
export function imageFormat(fact: string, url: string, at: string): RejectionReason[] {
  const comma = url.indexOf(',')
  const head = url.slice(0, Math.max(0, comma))
  if (!head.startsWith('data:') || !head.endsWith(';base64')) return []
  const [declared = ''] = head.slice('data:'.length).split(';')
  const type = readImageHeader(url.slice(comma + 1))?.type ?? declared.toLowerCase()
  if (!type.startsWith('image/') || imageTypes.has(type)) return []
  const text =
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp']."
  return [reject(fact, text, at, { code: 'invalid_image_format' })]
}

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp'])
