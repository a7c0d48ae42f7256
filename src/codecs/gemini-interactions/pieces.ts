import { isRecord } from '../../core/conversation.ts'
import { type Media, mimeOf, type Piece, type Pieces, readBlocks, writeBlocks } from '../shared/pieces.ts'
import { text } from '../shared/text.ts'

/** Media occur on both sides and in results. A result may also be an object. */
export const pieces: Pieces = {
  read,
  write,
  readResult: readBlocks(read),
  writeResult(pieces) {
    const [only] = pieces
    if (pieces.length === 1 && only?.kind === 'json' && isRecord(only.value)) return only.value
    return writeBlocks(write)(pieces)
  },
}

/** A content, or the only content of a step. */
function read(block: unknown): Piece | undefined {
  if (!isRecord(block)) return undefined
  if (block.type === 'model_output' && Array.isArray(block.content) && block.content.length === 1)
    return read(block.content[0])
  if (block.type === 'text' && typeof block.text === 'string') return { kind: 'text', text: block.text }
  const type = mediaTypes.get(block.type)
  const [data, url, mime, name] = [text(block.data), text(block.uri), text(block.mime_type), text(block.name)]
  if (type === undefined || (data === '' && url === '')) return undefined
  return {
    ...{ kind: 'media', type },
    ...(mime === '' ? {} : { mime }),
    ...(data === '' ? { url } : { data }),
    ...(name === '' ? {} : { name }),
  }
}

function write(media: Media): unknown {
  const { type, data, url } = media
  if (data === undefined && url === undefined) return undefined
  return {
    type: type === 'file' ? 'document' : type,
    mime_type: mimeOf(media),
    ...(data === undefined ? { uri: url } : { data }),
  }
}

const mediaTypes: ReadonlyMap<unknown, Media['type']> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['document', 'file'],
])
