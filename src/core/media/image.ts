import { byteLength, bytesAt, isReadableText, latin1, type MediaData } from './media-bytes.ts'

/** Facts from the header of an image. Nothing is decoded. */
export interface ImageFacts {
  /** By its first bytes. */
  readonly type: string
  readonly width?: number
  readonly height?: number
}

/** Reads the header of an image; undefined if its first bytes are not those of a known image type. */
export function readImage(data: MediaData): ImageFacts | undefined {
  const bytes = bytesAt(data, 0, 32)
  const start = latin1(bytes)
  if (start.startsWith('\x89PNG'))
    return sized('image/png', bytes, 24, view => [view.getUint32(16), view.getUint32(20)])
  if (/^GIF8[79]a/.test(start))
    return sized('image/gif', bytes, 10, view => [view.getUint16(6, true), view.getUint16(8, true)])
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return readWebp(bytes, start.slice(12, 16))
  if (start.startsWith('BM'))
    return sized('image/bmp', bytes, 26, view => [view.getUint32(18, true), Math.abs(view.getInt32(22, true))])
  if (start.startsWith('\xff\xd8')) return readJpeg(data)
  if (/^(II\*\0|MM\0\*)/.test(start)) return { type: 'image/tiff' }
  if (start.slice(4, 8) === 'ftyp') {
    const brand = start.slice(8, 12)
    if (/^hei[cxms]|^mif1/.test(brand)) return { type: 'image/heic' }
    if (brand === 'avif') return { type: 'image/avif' }
  }
  if (/^\s*(<\?xml[^>]{0,20}|<svg)/.test(start) && latin1(bytesAt(data, 0, 1024)).includes('<svg'))
    return { type: 'image/svg+xml' }
  return undefined
}

/** Why an image cannot be read, or undefined if its header gives no reason. */
export function imageDefect(data: MediaData): string | undefined {
  if (data.length === 0) return 'it is empty'
  if (!isReadableText(data)) return 'it is not valid base64'
  const facts = readImage(data)
  if (!facts) return 'it is not an image'
  const isSized = sizedTypes.has(facts.type)
  if (isSized && (!facts.width || !facts.height)) return 'it is cut off'
  if (facts.type === 'image/png' && !hasPngEnd(data)) return 'it is cut off'
  return undefined
}

const sizedTypes = new Set(['image/png', 'image/gif', 'image/webp', 'image/bmp', 'image/jpeg'])

/** The last chunk of a PNG, near its end: some writers put a few bytes after it. */
function hasPngEnd(data: MediaData): boolean {
  const length = byteLength(data)
  const from = Math.max(0, length - 4096)
  return latin1(bytesAt(data, from, length - from)).includes('IEND') || endsInChunk(data)
}

/** Whether the chunks of a PNG lead to its last one. Only their heads are read. */
function endsInChunk(data: MediaData): boolean {
  let place = 8
  for (let chunks = 0; chunks < chunksMax; chunks++) {
    const head = bytesAt(data, place, 8)
    if (head.length < 8) return false
    if (latin1(head.subarray(4)) === 'IEND') return true
    place += 12 + new DataView(head.buffer, head.byteOffset, 8).getUint32(0)
  }
  return true
}

/** So many chunks are not looked at: the image counts as whole. */
const chunksMax = 20_000

/**
 * Why an image surely cannot be read: its first bytes are those of a text or of a document, or it says itself that more should follow.
 * Unknown bytes do not count.
 */
export function certainDefect(data: MediaData): string | undefined {
  if (data.length === 0) return 'it is empty'
  if (!isReadableText(data)) return undefined
  const facts = readImage(data)
  if (facts?.type === 'image/png' && facts.width !== undefined && !hasPngEnd(data)) return 'it is cut off'
  if (facts) return undefined
  const start = latin1(bytesAt(data, 0, 32))
  if (start.length >= 12 && /^[\t\n\r\x20-\x7e]+$/.test(start))
    return start.startsWith('%PDF-') ? undefined : 'it is a text'
  return undefined
}

type Sides = (view: DataView) => readonly [number, number]

function sized(type: string, bytes: Uint8Array, needed: number, sides: Sides): ImageFacts {
  if (bytes.length < needed) return { type }
  const [width, height] = sides(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return { type, width, height }
}

function readWebp(bytes: Uint8Array, chunk: string): ImageFacts {
  const type = 'image/webp'
  const at = (index: number): number => bytes[index] ?? 0
  const three = (index: number): number => at(index) | (at(index + 1) << 8) | (at(index + 2) << 16)
  if (chunk === 'VP8X' && bytes.length >= 30) return { type, width: 1 + three(24), height: 1 + three(27) }
  if (chunk === 'VP8L' && bytes.length >= 25) {
    const bits = three(21) | (at(24) << 24)
    return { type, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
  }
  if (chunk === 'VP8 ' && bytes.length >= 30)
    return { type, width: (at(26) | (at(27) << 8)) & 0x3fff, height: (at(28) | (at(29) << 8)) & 0x3fff }
  return { type }
}

/** The segments of a JPEG up to the one with its size: only their heads are read, since thumbnails and profiles may be long. */
function readJpeg(data: MediaData): ImageFacts {
  const type = 'image/jpeg'
  let place = 2
  for (let segments = 0; segments < segmentsMax; segments++) {
    const bytes = bytesAt(data, place, 9)
    if (bytes.length < 9) break
    const head = new DataView(bytes.buffer, bytes.byteOffset, 9)
    if (head.getUint8(0) !== 0xff) break
    const marker = head.getUint8(1)
    if (marker === 0xff) {
      place++
      continue
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { type, height: head.getUint16(5), width: head.getUint16(7) }
    place += 2 + Math.max(2, head.getUint16(2))
  }
  return { type }
}

/** No writer needs as many. */
const segmentsMax = 2000
