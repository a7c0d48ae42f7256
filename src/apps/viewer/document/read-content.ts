import type { Codec } from '../../../codecs/codec.ts'
import type { Piece as ContentPiece } from '../../../codecs/shared/pieces.ts'
import { readDataUrl } from '../../../codecs/shared/pieces.ts'
import { pieces, piecesOf } from '../../../codecs/shared/pieces-of.ts'
import type { OtherPart, ResultPart } from '../../../core/conversation.ts'

/** The content of a result as pieces. In an unknown format, it is a JSON value. */
export function readResultContent({ content, raw }: ResultPart, codec?: Codec): readonly ContentPiece[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  try {
    if (codec) return piecesOf(codec).readResult(content, raw)
  } catch {
    // Content that does not fit the format is shown as JSON.
  }
  if (!codec && Array.isArray(content))
    return content.map(block => readBlockContent(block) ?? { kind: 'json', value: block })
  return content === undefined || content === null ? [] : [{ kind: 'json', value: content }]
}

/** The content of a block; undefined if it is unknown. */
export function readOtherContent({ raw }: OtherPart, codec?: Codec): ContentPiece | undefined {
  return readBlockContent(raw, codec)
}

function readBlockContent(block: unknown, codec?: Codec): ContentPiece | undefined {
  for (const { read } of codec ? [piecesOf(codec)] : Object.values(pieces)) {
    try {
      const piece = read(block)
      if (piece) return piece
    } catch {
      // Not this format.
    }
  }
  return undefined
}

/** An image inside the history as a data URL; undefined for anything else, and for links. */
export function imageUrlOf(piece: ContentPiece | undefined): string | undefined {
  if (piece?.kind !== 'media' || piece.type !== 'image') return undefined
  const { mime, data } = piece.data === undefined ? (readDataUrl(piece.url ?? '') ?? {}) : piece
  const type = mime === undefined ? sniffed(data) : mime.toLowerCase()
  if (data === undefined || type === undefined || !rasters.has(type) || !base64.test(data.trimEnd())) return undefined
  return `data:${type};base64,${data}`
}

const rasters = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** White space is matched at one place only: otherwise a long run of it would take quadratic time. */
const base64 = /^[A-Za-z0-9+/\s]+={0,2}$/

/** The type of an image by its first bytes. */
const sniffed = (data = ''): string | undefined => beginnings.find(([start]) => data.startsWith(start))?.[1]

const beginnings: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]
