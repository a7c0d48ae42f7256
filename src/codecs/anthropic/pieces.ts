import { isRecord } from '../../core/conversation.ts'
import { defaultMime, type Media, type Piece, type Pieces, readBlocks } from '../pieces.ts'

/** Images and documents stand in user messages and in results. */
export const pieces: Pieces = {
  read,
  write: (media, within) => (within === 'assistant' ? undefined : write(media)),
  readResult: readBlocks(read),
  writeResult(pieces) {
    const [only] = pieces
    if (pieces.length === 0) return ''
    if (pieces.length === 1 && only.kind === 'text') return only.text
    return pieces.map(piece => {
      if (piece.kind === 'media') return write(piece)
      return { type: 'text', text: piece.kind === 'text' ? piece.text : JSON.stringify(piece.value) }
    })
  },
}

function read(block: unknown): Piece | undefined {
  if (!isRecord(block)) return undefined
  if (block.type === 'text' && typeof block.text === 'string') return { kind: 'text', text: block.text }
  if ((block.type !== 'image' && block.type !== 'document') || !isRecord(block.source)) return undefined
  const { type, media_type, data, url } = block.source
  if (type === 'text' && typeof data === 'string') return { kind: 'text', text: data }
  const known = {
    kind: 'media',
    type: block.type === 'image' ? 'image' : 'file',
    ...(typeof media_type === 'string' ? { mime: media_type } : {}),
    ...(typeof block.title === 'string' ? { name: block.title } : {}),
  } as const
  if (type === 'base64' && typeof data === 'string') return { ...known, data }
  return type === 'url' && typeof url === 'string' ? { ...known, url } : undefined
}

function write({ type, data, url, mime, name }: Media): unknown {
  if (type === 'audio' || type === 'video') return undefined
  const source =
    data === undefined
      ? { type: 'url', url }
      : { type: 'base64', media_type: mime ?? (type === 'image' ? defaultMime.image : 'application/pdf'), data }
  if (type === 'image') return { type: 'image', source }
  return { type: 'document', source, ...(name === undefined ? {} : { title: name }) }
}
