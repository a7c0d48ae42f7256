import type { Facts } from '../dialect.ts'
import { base64Bytes, base64Text } from '../media/base64.ts'
import { imageDefect, readImage } from '../media/image.ts'
import type { ImageLimit, ResizedImage } from '../media/resize.ts'
import { type BodyDraft, eachObject } from './body-draft.ts'
import { type FoundMedium, headerOf, replaceMedia, setType } from './media-parts.ts'

/** What a provider takes of an image in a request with so many. */
export function imageLimitOf(
  { imageSide, imageSideOfMany, imageBase64, imageTypes }: Facts,
  images: number,
): ImageLimit {
  const lower = imageSideOfMany && images > imageSideOfMany.images ? imageSideOfMany.side : undefined
  return {
    side: lower ?? imageSide,
    bytes: imageBase64 === undefined ? undefined : bytesIn(imageBase64),
    types: imageTypes,
  }
}

/** How many bytes fit into base64 of this length. */
export const bytesIn = (base64: number): number => Math.floor(base64 / 4) * 3

/** Images above a limit: those that the caller's `resize` brings within it stay as smaller ones, all others become texts. */
export function shrinkImages(
  draft: BodyDraft,
  images: readonly FoundMedium[],
  limit: ImageLimit,
  why: string | ((image: FoundMedium) => string),
): void {
  const failures = resizeImages(draft, images, limit, why)
  const reason = (image: FoundMedium): string => (typeof why === 'string' ? why : why(image))
  replaceMedia(
    draft,
    images.filter(image => failures.has(image)),
    image => `${reason(image)}${failures.get(image)}`,
  )
}

/** Resizes images. Returns those that stay too large, each with what went wrong. */
export function resizeImages(
  draft: BodyDraft,
  images: readonly FoundMedium[],
  limit: ImageLimit,
  why: string | ((image: FoundMedium) => string),
): Map<FoundMedium, string> {
  const failures = new Map<FoundMedium, string>()
  for (const image of images) {
    const resized = resizedImage(draft, image, limit)
    if (typeof resized === 'string') {
      failures.set(image, resized)
      continue
    }
    const { width, height } = readImage(resized.data) ?? {}
    const reason = typeof why === 'string' ? why : why(image)
    draft.change('lossy', image.at, `the image is resized to ${width}x${height} px: ${reason}`, () =>
      writeImage(image, resized),
    )
  }
  return failures
}

/** The smaller image, or why there is none; the reason is empty if there is no `resize` function. */
function resizedImage(draft: BodyDraft, image: FoundMedium, limit: ImageLimit): ResizedImage | string {
  const { data } = image
  const header = headerOf(image)
  if (!draft.resize || !draft.allows('lossy') || data === undefined || !header) return ''
  const { type: mediaType, width, height } = header
  const bytes = typeof data === 'string' ? base64Bytes(data) : data
  try {
    const resized = draft.resize({ data: bytes, mediaType, width, height, limit }, data)
    if (resized === undefined) return ''
    const defect = defectOf(resized, limit)
    return defect === undefined ? resized : `; what resize returned is not used: ${defect}`
  } catch (error) {
    return `; resize failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Why an image that a caller made cannot be sent. What it is is read from its header, not from what the caller says. */
function defectOf({ data, mediaType }: ResizedImage, { side, pixels, bytes, types }: ImageLimit): string | undefined {
  if (!(data instanceof Uint8Array)) return 'its data is not a Uint8Array'
  const defect = imageDefect(data)
  if (defect !== undefined) return defect
  const { type, width = 0, height = 0 } = readImage(data) ?? { type: '' }
  if (type !== mediaType) return `it is declared as ${mediaType} and is ${type}`
  if (types && !types.includes(type)) return `the provider does not read ${type}`
  if (width === 0 || height === 0) return 'its size is unknown'
  if (side !== undefined && Math.max(width, height) > side) return `a side is longer than ${side} px`
  if (pixels !== undefined && width * height > pixels) return `it has more than ${pixels} pixels`
  if (bytes !== undefined && data.length > bytes) return `it is longer than ${bytes} bytes`
  return undefined
}

/** Writes an image in the place of another, in the form in which that was: bytes, base64 or a `data:` URI. */
function writeImage({ part, data, uri }: FoundMedium, { data: bytes, mediaType }: ResizedImage): void {
  const text = typeof data === 'string' ? base64Text(bytes) : undefined
  eachObject(part, fields => {
    for (const key of Object.keys(fields)) {
      if (uri !== undefined && fields[key] === uri) fields[key] = `data:${mediaType};base64,${text}`
      else if (fields[key] === data) fields[key] = text ?? bytes
    }
  })
  setType(part, mediaType)
}
