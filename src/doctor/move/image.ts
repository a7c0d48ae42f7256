import { asRecord, isRecord } from '../../core/conversation.ts'
import type { MovedImage } from './moved-session.ts'

/** An image as any of the programs stores it; undefined for other content, and for an image that is only named. */
export function imageIn(raw: unknown): MovedImage | undefined {
  if (!isRecord(raw)) return undefined
  const source = asRecord(raw.source)
  const inline = asRecord(raw.inlineData ?? raw.inline_data)
  return (
    image(source.media_type ?? source.mimeType, source.data ?? source.value) ??
    image(inline.mimeType ?? inline.mime_type, inline.data) ??
    image(raw.mimeType ?? raw.mediaType ?? raw.mime_type, raw.data ?? raw.image) ??
    [raw.url, raw.image_url, asRecord(raw.image_url).url, raw.image].map(fromDataUrl).find(one => one !== undefined)
  )
}

const image = (mediaType: unknown, data: unknown): MovedImage | undefined =>
  typeof mediaType === 'string' && imageType.test(mediaType) && typeof data === 'string' && base64.test(data)
    ? { kind: 'image', mediaType, data }
    : undefined

const imageType = /^image\/[\w.+-]{1,40}$/
const base64 = /^[\w+/-]+={0,2}$/

function fromDataUrl(url: unknown): MovedImage | undefined {
  if (typeof url !== 'string' || !url.startsWith('data:')) return undefined
  const comma = url.indexOf(',')
  const [mediaType, ...marks] = url.slice('data:'.length, comma).split(';')
  return marks.includes('base64') ? image(mediaType, url.slice(comma + 1)) : undefined
}
