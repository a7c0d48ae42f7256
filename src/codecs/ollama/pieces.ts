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

/** The beginning shows whether an image is base64: addresses have a colon there. */
const isImage = (image: unknown): boolean => typeof image === 'string' && !image.slice(0, 16).includes(':')

/** The bytes of an image, as the list of images holds them: without the beginning of a data URL. */
export function imageIn(block: unknown): string | undefined {
  if (typeof block === 'string') return isImage(block) ? block : readDataUrl(block)?.data
  const { image_url: address } = isRecord(block) && block.type === 'image_url' ? block : {}
  return readDataUrl(isRecord(address) ? text(address.url) : text(address))?.data
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
