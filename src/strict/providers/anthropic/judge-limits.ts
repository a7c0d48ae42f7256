import { isObject, type JsonObject, objects, stringOf } from '../../json.ts'
import { estimateTokens } from '../../judge/estimate.ts'
import { isModel, models } from '../../judge/models.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'
import { cacheMarks, extraFields, mediaLimits, mediaOf, mediaTypes, toolReferences } from './judge-media.ts'

/** What the schema rejects in a whole request, before the history is checked. */
export function requestForms({ messages, body }: RawRequest): RejectionReason[] {
  if (!body) return []
  return [...tooLarge(body), ...toolNames(body), ...extraFields(messages), ...mediaTypes(messages)]
}

/** The limits of a request, which are checked last. */
export function requestLimits(raw: RawRequest): RejectionReason[] {
  const { messages, body } = raw
  if (!body) return []
  const window = windowOf(raw)
  return [
    ...cacheMarks(messages, body),
    ...toolReferences(messages, new Set(objects(body.tools).map(({ name }) => name))),
    ...mediaLimits(mediaOf(messages), window > 200_000 ? 600 : 100),
    ...windowLimit(messages, body, window),
  ]
}

/** As JSON, as most clients write it. */
function tooLarge(body: JsonObject): RejectionReason[] {
  const isLarge = Buffer.byteLength(JSON.stringify(body)) > bytesMax
  return isLarge ? [reject('an-request-bytes', 'Request exceeds the maximum size', '', { status: 413 })] : []
}

const bytesMax = 32 * 1024 * 1024

function toolNames({ tools }: JsonObject): RejectionReason[] {
  const seen = new Set<string>()
  return objects(tools).flatMap(({ name, type }, k) => {
    const isCustom = type === undefined || type === null || type === 'custom'
    if (typeof name !== 'string') return []
    const at = `tools[${k}]`
    const text = `tools.${k}.custom.name: String should match pattern '${namePattern}'`
    if (isCustom && !new RegExp(namePattern).test(name)) return [reject('an-tool-name', text, at)]
    if (seen.size === seen.add(name).size) return [reject('an-tool-unique', 'tools: Tool names must be unique.', at)]
    return []
  })
}

const namePattern = '^[a-zA-Z0-9_-]{1,128}$'

/** The context window of the model: 200,000 tokens up to 4.5, unless the larger one is requested. */
export function windowOf({ model, headers }: Pick<RawRequest, 'model' | 'headers'>): number {
  const isOld = isModel(models.windowOf200k, model)
  return isOld && !/\bcontext-1m-/.test(headers?.['anthropic-beta'] ?? '') ? 200_000 : 1_000_000
}

/** Tokens are estimated, see `estimateTokens`. */
function windowLimit(messages: JsonObject[], body: JsonObject, window: number): RejectionReason[] {
  const used = estimateTokens(messages, body.system, body.tools)
  if (used > window) {
    const text = `prompt is too long: ${used} tokens > ${window} maximum`
    return [reject('an-context', text, 'messages')]
  }
  const { max_tokens: asked } = body
  if (typeof asked !== 'number' || used + asked <= window || isObject(body.context_management)) return []
  const text = `input length and \`max_tokens\` exceed context limit: ${used} + ${asked} > ${window}, decrease input length or \`max_tokens\` and try again`
  return [reject('an-output', text, 'max_tokens')]
}

/** The same limits for Claude on another host, which counts tokens and media in the same way. */
export const isTooLong = (messages: JsonObject[], more: unknown[], model: string | undefined): boolean =>
  estimateTokens(messages, ...more) > windowOf({ model: stringOf(model) ?? '' })
