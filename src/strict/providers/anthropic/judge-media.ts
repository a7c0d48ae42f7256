import { isObject, type JsonObject, objectOf, stringOf } from '../../json.ts'
import { dotted } from '../../judge/dotted.ts'
import { readImageHeader } from '../../judge/image-header.ts'
import { type Objection, refuse } from '../../judge/objection.ts'
import { blocksOf } from './history.ts'

/** A picture or a document of a request, wherever it is. */
export interface Medium {
  kind: 'image' | 'document'
  /** Its place, in a result as `messages[2].content[0].content[1]`. */
  at: string
  /** The same place as the provider writes it. */
  path: string
  mediaType: string | undefined
  /** In base64, if it is in the request. */
  data: string | undefined
}

export const mediaOf = (messages: JsonObject[]): Medium[] =>
  messages.flatMap((message, index) =>
    blocksOf(message).flatMap((block, k) => {
      const at = `messages[${index}].content[${k}]`
      if (block.type !== 'tool_result') return mediumOf(block, at, dotted(at))
      return blocksOf(block).flatMap((inner, j) =>
        mediumOf(inner, `${at}.content[${j}]`, `${dotted(at)}.tool_result.content.${j}`),
      )
    }),
  )

function mediumOf({ type, source }: JsonObject, at: string, path: string): Medium[] {
  if (type !== 'image' && type !== 'document') return []
  const { type: kind, media_type, data } = objectOf(source)
  const isInline = kind === 'base64' && typeof data === 'string'
  return [{ kind: type, at, path, mediaType: stringOf(media_type), data: isInline ? data : undefined }]
}

/** What the schema says of an image. */
export const mediaTypes = (messages: JsonObject[]): Objection[] =>
  mediaOf(messages).flatMap(({ kind, at, path, mediaType, data }) => {
    if (kind !== 'image' || data === undefined || imageTypes.has(mediaType)) return []
    const text = `${path}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`
    return [refuse('an-image-media-type', text, at)]
  })

const imageTypes = new Set<unknown>(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** What differs between the hosts of Claude: the name of the field for the bytes of an image, and how many MB of base64 it may have. */
export interface ImageHost {
  bytes: string
  maxMB: number
}

const anthropicHost: ImageHost = { bytes: 'base64', maxMB: 10 }

/** How Claude accepts media on any host. */
export function mediaLimits(media: Medium[], countMax: number, host = anthropicHost): Objection[] {
  const images = media.filter(({ kind }) => kind === 'image')
  const isMany = images.length > manyImages
  const documents = media.length - images.length
  const count = `too many images and documents: ${images.length} + ${documents} > ${countMax}`
  return [
    ...(media.length > countMax ? [refuse('an-media-count', count, 'messages')] : []),
    ...images.flatMap(({ data, mediaType, at, path }) =>
      data === undefined ? [] : imageLimits(data, mediaType, isMany, host, `${path}.image.source`, at),
    ),
  ]
}

const [manyImages, sideMax, sideMaxOfMany] = [20, 8000, 2000]

function imageLimits(
  data: string,
  mediaType: string | undefined,
  isMany: boolean,
  { bytes, maxMB }: ImageHost,
  source: string,
  at: string,
): Objection[] {
  const place = `${source}.${bytes}`
  const base64Max = maxMB * 2 ** 20
  if (data.length > base64Max) {
    const text = `${place}: image exceeds ${maxMB} MB maximum: ${data.length} bytes > ${base64Max} bytes`
    return [refuse('an-image-bytes', text, at)]
  }
  const { type, width = 0, height = 0 } = readImageHeader(data) ?? {}
  if (type !== undefined && imageTypes.has(mediaType) && type !== mediaType) {
    const text = `The image was specified using the ${mediaType} media type, but the image appears to be a ${type} image`
    return [refuse('an-image-true-type', `${place}: ${text}`, at)]
  }
  const side = Math.max(width, height)
  const text = `${source}.base64.data: At least one of the image dimensions exceed max allowed size`
  if (side > sideMax) return [refuse('an-image-side', `${text}: ${sideMax} pixels`, at)]
  if (!isMany || side <= sideMaxOfMany) return []
  return [refuse('an-image-side-many', `${text} for many-image requests: ${sideMaxOfMany} pixels`, at)]
}

/** A tool reference in a result to a tool that the request does not declare. */
export function toolReferences(messages: JsonObject[], declared: ReadonlySet<unknown>): Objection[] {
  return messages.flatMap((message, index) =>
    blocksOf(message).flatMap((block, k) =>
      block.type !== 'tool_result'
        ? []
        : blocksOf(block).flatMap(({ type, tool_name: name }) =>
            type === 'tool_reference' && !declared.has(name)
              ? [refuse('an-tool-reference', referenceText(name), `messages[${index}].content[${k}]`)]
              : [],
          ),
    ),
  )
}

const referenceText = (name: unknown): string => `Tool reference '${name}' not found in available tools`

/** Fields that the type of a block does not have. Of types that are not listed nothing is known. */
export const extraFields = (messages: JsonObject[]): Objection[] =>
  messages.flatMap((message, index) =>
    blocksOf(message).flatMap((block, k) => {
      const known = fields.get(block.type)
      const extra = known && Object.keys(block).find(key => !known.has(key))
      if (extra === undefined) return []
      const at = `messages[${index}].content[${k}]`
      return [refuse('an-extra', `${dotted(at)}.${block.type}.${extra}: Extra inputs are not permitted`, at)]
    }),
  )

const fields = new Map<unknown, ReadonlySet<string>>(
  Object.entries({
    text: ['text', 'citations', 'cache_control'],
    thinking: ['thinking', 'signature'],
    redacted_thinking: ['data'],
    image: ['source', 'cache_control'],
    tool_use: ['id', 'name', 'input', 'caller', 'cache_control'],
    tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control'],
  }).map(([type, own]) => [type, new Set(['type', ...own])]),
)

/** How many cache marks there are, and those on a text that is empty. */
export function cacheMarks(messages: JsonObject[], body: JsonObject): Objection[] {
  const found = marksIn([body.tools, body.system, messages])
  const empty = messages.flatMap((message, index) =>
    blocksOf(message).flatMap(({ type, text, cache_control }, k) => {
      const at = `messages[${index}].content[${k}]`
      const words = `${dotted(at)}.text: cache_control cannot be set for empty text blocks`
      return type === 'text' && text === '' && isObject(cache_control) ? [refuse('an-cache-empty', words, at)] : []
    }),
  )
  const count = `A maximum of ${marksMax} blocks with cache_control may be provided. Found ${found}.`
  return found > marksMax ? [refuse('an-cache-count', count, 'messages'), ...empty] : empty
}

const marksMax = 4

/** What a call was given is the caller's own, and no mark. */
function marksIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + marksIn(one), 0)
  if (!isObject(value)) return 0
  return (isObject(value.cache_control) ? 1 : 0) + marksIn(value.content)
}
