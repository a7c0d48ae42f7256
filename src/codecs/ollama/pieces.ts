import { isRecord } from '../../core/conversation.ts'
import { type Media, type Piece, type Pieces, readDataUrl, wordsOf } from '../shared/pieces.ts'
import { text } from '../shared/text.ts'

/** Images are base64 in a list of their own; a result is a text. */
export const pieces: Pieces = {
  read,
  write: ({ type, data }, within) => (within === 'user' && type === 'image' ? data : undefined),
  readResult,
  writeResult: wordsOf,
}

/** Also reads the blocks of chat formats, which clients leave in the content by mistake. */
function read(block: unknown): Piece | undefined {
  const image = imageIn(block)
  if (image !== undefined) return { kind: 'media', type: 'image', data: image }
  const words = textIn(block)
  if (words !== undefined) return { kind: 'text', text: words }
  const { image_url: address } = isRecord(block) ? block : {}
  const url = isRecord(address) ? text(address.url) : text(address)
  return url === '' ? undefined : { kind: 'media', type: 'image', url }
}

/** Whether a list of images can be sent; there may be none. */
export const areImages = (images: unknown): boolean =>
  images === undefined || images === null || (Array.isArray(images) && images.every(isImage))

const isImage = (image: unknown): boolean => (typeof image === 'string' ? isBase64(image) : isBytes(image))

/** The API also takes the bytes of an image as a list of numbers. */
export const isBytes = (image: unknown): boolean =>
  Array.isArray(image) && image.every(byte => Number.isInteger(byte) && byte >= 0 && byte < 256)

/** Whether a text is base64 as the API decodes it: padded, and with line breaks anywhere. */
function isBase64(data: string): boolean {
  const letters = data.includes('\n') || data.includes('\r') ? data.replace(/[\r\n]/g, '') : data
  return letters.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(letters)
}

/** Damaged data that is too long for a text: nothing can read it. */
export const isLostImage = (image: unknown): boolean =>
  typeof image === 'string' && image.length > lostLength && !image.slice(0, 16).includes(':') && !imageIn(image)

const lostLength = 1000

/** The bytes of an image, as the list of images holds them: without the beginning of a data URL, and padded. */
export function imageIn(block: unknown): string | undefined {
  if (typeof block === 'string') {
    const url = readDataUrl(block)
    return url ? base64In(url.data) : isImage(block) ? block : beginsAsImage.test(block) ? base64In(block) : undefined
  }
  const { image_url: address } = isRecord(block) && block.type === 'image_url' ? block : {}
  const url = readDataUrl(isRecord(address) ? text(address.url) : text(address))
  return url && base64In(url.data)
}

/** PNG, JPEG, GIF and WebP. */
const beginsAsImage = /^\s*(iVBORw0KGgo|[/_]9j[/_]|R0lGOD|UklGR)/

/** Base64 in the form of the API: other forms leave the padding out, break lines or use the letters of URLs. */
function base64In(data: string): string | undefined {
  if (isBase64(data)) return data
  const letters = data
    .replace(/\s/g, '')
    .replace(/-/g, '+')
    .replace(/_/g, '/')
    .replace(/={1,2}$/, '')
  const padded = letters.padEnd(letters.length + ((4 - (letters.length % 4)) % 4), '=')
  return letters.length % 4 !== 1 && isBase64(padded) ? padded : undefined
}

/** The text of a block that is one. */
export const textIn = (block: unknown): string | undefined =>
  isRecord(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : undefined

function readResult(content: unknown, raw?: unknown): Piece[] {
  const images = isRecord(raw) && Array.isArray(raw.images) ? raw.images : []
  const media = images
    .filter(image => typeof image === 'string')
    .map((data): Media => ({ kind: 'media', type: 'image', data }))
  if (content === undefined || content === null) return media
  if (typeof content === 'string') return [{ kind: 'text', text: content }, ...media]
  const blocks = Array.isArray(content) ? content : [content]
  return [
    ...blocks.map((block): Piece => (isRecord(block) ? read(block) : undefined) ?? { kind: 'json', value: block }),
    ...media,
  ]
}
