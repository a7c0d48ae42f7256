import type { Codec } from '../../../codecs/codec.ts'
import type { Piece as Said } from '../../../codecs/shared/pieces.ts'
import { readDataUrl } from '../../../codecs/shared/pieces.ts'
import { pieces, piecesOf } from '../../../codecs/shared/pieces-of.ts'
import type { OtherPart, ResultPart } from '../../../core/conversation.ts'

/** What the content of a result says, as far as its shape tells; of an unknown shape it is a value. */
export function saidByResult({ content, raw }: ResultPart, codec?: Codec): readonly Said[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  try {
    if (codec) return piecesOf(codec).readResult(content, raw)
  } catch {
    // Content that is unlike anything the wire knows is shown as it is.
  }
  if (!codec && Array.isArray(content))
    return content.map(block => saidByBlock(block) ?? { kind: 'json', value: block })
  return content === undefined || content === null ? [] : [{ kind: 'json', value: content }]
}

/** What a block of content says; undefined if nobody can tell. */
export function saidByOther({ raw }: OtherPart, codec?: Codec): Said | undefined {
  return saidByBlock(raw, codec)
}

function saidByBlock(block: unknown, codec?: Codec): Said | undefined {
  for (const { read } of codec ? [piecesOf(codec)] : Object.values(pieces)) {
    try {
      const said = read(block)
      if (said) return said
    } catch {
      // Not of this shape.
    }
  }
  return undefined
}

/** The picture that is in the history itself, as an address that holds it; undefined for any other, and for addresses elsewhere. */
export function pictureOf(said: Said | undefined): string | undefined {
  if (said?.kind !== 'media' || said.type !== 'image') return undefined
  const { mime, data } = said.data === undefined ? (readDataUrl(said.url ?? '') ?? {}) : said
  const type = mime === undefined ? sniffed(data) : mime.toLowerCase()
  if (data === undefined || type === undefined || !rasters.has(type) || !base64.test(data.trimEnd())) return undefined
  return `data:${type};base64,${data}`
}

const rasters = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** White space has one place in it: with a second one, a long run of it would be tried at every length. */
const base64 = /^[A-Za-z0-9+/\s]+={0,2}$/

/** The type of a picture by how its bytes begin. */
const sniffed = (data = ''): string | undefined => beginnings.find(([start]) => data.startsWith(start))?.[1]

const beginnings: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]
