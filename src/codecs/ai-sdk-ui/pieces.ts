import { isRecord } from '../../core/conversation.ts'
import { defaultMime, mediaAt, mediaType, type Piece, type Pieces, urlOf, wordsOf } from '../shared/pieces.ts'

/** Files occur in messages; the output of a tool is any JSON value. */
export const pieces: Pieces = {
  read,
  write(media, within) {
    const url = urlOf(media)
    if (within === 'result' || url === undefined) return undefined
    const { name, mime = defaultMime[media.type] } = media
    return { type: 'file', mediaType: mime, ...(name === undefined ? {} : { filename: name }), url }
  },
  readResult(content) {
    if (content === undefined || content === null) return []
    return [typeof content === 'string' ? { kind: 'text', text: content } : { kind: 'json', value: content }]
  },
  writeResult(pieces) {
    const [only] = pieces
    return pieces.length === 1 && only?.kind === 'json' ? only.value : wordsOf(pieces)
  },
}

function read(block: unknown): Piece | undefined {
  if (!isRecord(block)) return undefined
  if (block.type === 'text' && typeof block.text === 'string') return { kind: 'text', text: block.text }
  if (block.type !== 'file') return undefined
  const { url, data, mediaType: named = block.mimeType } = block
  const mime = typeof named === 'string' ? named : undefined
  if (typeof url !== 'string')
    return typeof data === 'string'
      ? { kind: 'media', type: mediaType(mime), ...(mime ? { mime } : {}), data }
      : undefined
  return mediaAt(mediaType(mime), url, {
    ...(mime === undefined ? {} : { mime }),
    ...(typeof block.filename === 'string' ? { name: block.filename } : {}),
  })
}
