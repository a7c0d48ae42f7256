import { isObject, type JsonObject, objectOf, stringOf } from '../../json.ts'
import { dotted } from '../../judge/dotted.ts'
import { readImageHeader } from '../../judge/image-header.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import { contentBlocks } from './history.ts'

/** An image or a document of a request, in any position. */
export interface MediaBlock {
  kind: 'image' | 'document'
  /** Its path, in a result as `messages[2].content[0].content[1]`. */
  at: string
  /** The same path as the provider writes it. */
  path: string
  mediaType: string | undefined
  /** In base64, if it is in the request. */
  data: string | undefined
}

export const mediaOf = (messages: JsonObject[]): MediaBlock[] =>
  messages.flatMap((message, index) =>
    contentBlocks(message).flatMap((block, k) => {
      const at = `messages[${index}].content[${k}]`
      if (block.type !== 'tool_result') return mediumOf(block, at, dotted(at))
      return contentBlocks(block).flatMap((inner, j) =>
        mediumOf(inner, `${at}.content[${j}]`, `${dotted(at)}.tool_result.content.${j}`),
      )
    }),
  )

function mediumOf({ type, source }: JsonObject, at: string, path: string): MediaBlock[] {
  if (type !== 'image' && type !== 'document') return []
  const { type: kind, media_type, data } = objectOf(source)
  const isInline = kind === 'base64' && typeof data === 'string'
  return [{ kind: type, at, path, mediaType: stringOf(media_type), data: isInline ? data : undefined }]
}

/** What the schema requires of an image. */
export const mediaTypes = (messages: JsonObject[]): RejectionReason[] =>
  mediaOf(messages).flatMap(({ kind, at, path, mediaType, data }) => {
    if (kind !== 'image' || data === undefined || imageTypes.has(mediaType)) return []
    const text = `${path}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`
    return [reject('an-image-media-type', text, at)]
  })

const imageTypes = new Set<unknown>(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** Differences between the hosts of Claude: the field with the bytes of an image, and the limit of its base64 in MB. */
export interface ImageHost {
  bytes: string
  maxMB: number
}

const anthropicHost: ImageHost = { bytes: 'base64', maxMB: 10 }

/** How Claude accepts media on any host. */
export function mediaLimits(media: MediaBlock[], countMax: number, host = anthropicHost): RejectionReason[] {
  const images = media.filter(({ kind }) => kind === 'image')
  const isMany = images.length > manyImages
  const documents = media.length - images.length
  const count = `too many images and documents: ${images.length} + ${documents} > ${countMax}`
  return [
    ...(media.length > countMax ? [reject('an-media-count', count, 'messages')] : []),
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
): RejectionReason[] {
  const place = `${source}.${bytes}`
  const base64Max = maxMB * 2 ** 20
  if (data.length > base64Max) {
    const text = `${place}: image exceeds ${maxMB} MB maximum: ${data.length} bytes > ${base64Max} bytes`
    return [reject('an-image-bytes', text, at)]
  }
  const { type, width = 0, height = 0 } = readImageHeader(data) ?? {}
  if (type !== undefined && imageTypes.has(mediaType) && type !== mediaType) {
    const text = `The image was specified using the ${mediaType} media type, but the image appears to be a ${type} image`
    return [reject('an-image-true-type', `${place}: ${text}`, at)]
  }
  const side = Math.max(width, height)
  const text = `${source}.base64.data: At least one of the image dimensions exceed max allowed size`
  if (side > sideMax) return [reject('an-image-side', `${text}: ${sideMax} pixels`, at)]
  if (!isMany || side <= sideMaxOfMany) return []
  return [reject('an-image-side-many', `${text} for many-image requests: ${sideMaxOfMany} pixels`, at)]
}

/** A tool reference in a result to a tool that the request does not declare. */
export function toolReferences(messages: JsonObject[], declared: ReadonlySet<unknown>): RejectionReason[] {
  return messages.flatMap((message, index) =>
    contentBlocks(message).flatMap((block, k) =>
      block.type !== 'tool_result'
        ? []
        : contentBlocks(block).flatMap(({ type, tool_name: name }) =>
            type === 'tool_reference' && !declared.has(name)
              ? [reject('an-tool-reference', referenceText(name), `messages[${index}].content[${k}]`)]
              : [],
          ),
    ),
  )
}

const referenceText = (name: unknown): string => `Tool reference '${name}' not found in available tools`

/** Fields that the type of a block does not have. Types that are not listed are not checked. */
export const extraFields = (messages: JsonObject[]): RejectionReason[] =>
  messages.flatMap((message, index) =>
    contentBlocks(message).flatMap((block, k) => {
      const known = fields.get(block.type)
      const extra = known && Object.keys(block).find(key => !known.has(key))
      if (extra === undefined) return []
      const at = `messages[${index}].content[${k}]`
      return [reject('an-extra', `${dotted(at)}.${block.type}.${extra}: Extra inputs are not permitted`, at)]
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

/** The number of cache marks, and cache marks on empty text. */
export function cacheMarks(messages: JsonObject[], body: JsonObject): RejectionReason[] {
  const found = marksIn([body.tools, body.system, messages])
  const empty = messages.flatMap((message, index) =>
    contentBlocks(message).flatMap(({ type, text, cache_control }, k) => {
      const at = `messages[${index}].content[${k}]`
      const words = `${dotted(at)}.text: cache_control cannot be set for empty text blocks`
      return type === 'text' && text === '' && isObject(cache_control) ? [reject('an-cache-empty', words, at)] : []
    }),
  )
  const count = `A maximum of ${marksMax} blocks with cache_control may be provided. Found ${found}.`
  return found > marksMax ? [reject('an-cache-count', count, 'messages'), ...empty] : empty
}

const marksMax = 4

/** The arguments of a call belong to the caller and contain no marks. */
function marksIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + marksIn(one), 0)
  if (!isObject(value)) return 0
  return (isObject(value.cache_control) ? 1 : 0) + marksIn(value.content)
}
