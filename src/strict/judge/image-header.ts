/** What the first bytes of an image declare. */
export interface ImageHeader {
  type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/bmp'
  /** Missing if the header is cut off before it. */
  width?: number
  height?: number
}

/** Reads the header of an image in base64; undefined if the bytes are not of a known type. Pixels are not decoded. */
export function readImageHeader(base64: string): ImageHeader | undefined {
  const bytes = Buffer.from(base64.slice(0, readMax), 'base64')
  const starts = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text
  if (starts('\x89PNG\r\n\x1a\n')) return { type: 'image/png', ...sides(bytes, 16, at => bytes.readUInt32BE(at), 4) }
  if (starts('GIF87a') || starts('GIF89a'))
    return { type: 'image/gif', ...sides(bytes, 6, at => bytes.readUInt16LE(at), 2) }
  if (starts('BM') && bytes.length >= 18 && bytes.readUInt32LE(14) >= 40)
    return { type: 'image/bmp', ...sides(bytes, 18, at => Math.abs(bytes.readInt32LE(at)), 4) }
  if (starts('RIFF') && starts('WEBP', 8)) return { type: 'image/webp', ...webpSides(bytes) }
  return starts('\xff\xd8\xff') ? { type: 'image/jpeg', ...jpegSides(bytes) } : undefined
}

/** A photo may have a preview and other data before its size. */
const readMax = 4 * 1024 * 1024

type Sides = Pick<ImageHeader, 'width' | 'height'>

/** Width and height, in this order. */
const sides = (bytes: Buffer, at: number, read: (at: number) => number, size: number): Sides =>
  bytes.length < at + 2 * size ? {} : { width: read(at), height: read(at + size) }

/** The three kinds of WebP: lossy, lossless and extended. */
function webpSides(bytes: Buffer): Sides {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8 ') return sides(bytes, 26, at => bytes.readUInt16LE(at) & 0x3fff, 2)
  if (kind === 'VP8X') return sides(bytes, 24, at => bytes.readUIntLE(at, 3) + 1, 3)
  if (kind !== 'VP8L' || bytes.length < 25) return {}
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** The size is in the first frame, after any number of other segments. */
function jpegSides(bytes: Buffer): Sides {
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++
    const marker = bytes[at + 1]
    if (bytes[at] !== 0xff || marker === undefined || at + 9 > bytes.length) return {}
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
  }
  return {}
}
