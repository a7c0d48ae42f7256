import { isRecord } from '../../core/conversation.ts'
import { textsOf } from '../shared/envelope.ts'
import {
  isOnTheWeb,
  type Media,
  mimeOf,
  type Piece,
  type Pieces,
  quotedDocument,
  readBlocks,
  writeBlocks,
} from '../shared/pieces.ts'

/** Images and documents occur in user messages and in results. */
export const pieces: Pieces = {
  read,
  write: (media, within) => (within === 'assistant' ? undefined : write(media)),
  readResult: readBlocks(read),
  writeResult: writeBlocks(write),
}

function read(block: unknown): Piece | undefined {
  if (!isRecord(block)) return undefined
  if (block.type === 'text' && typeof block.text === 'string') return { kind: 'text', text: block.text }
  if (block.type === 'compaction' && typeof block.content === 'string') return { kind: 'text', text: block.content }
  if (block.type === 'search_result')
    return quotedDocument('search result', block.title, textsOf(block.content).join('\n\n'))
  if ((block.type !== 'image' && block.type !== 'document') || !isRecord(block.source)) return undefined
  if (block.source.type === 'content')
    return quotedDocument('document', block.title, textsOf(block.source.content).join('\n\n'))
  const { type, media_type, data, url } = block.source
  if (type === 'text' && typeof data === 'string') return quotedDocument('document', block.title, data)
  const known = {
    kind: 'media',
    type: block.type === 'image' ? 'image' : 'file',
    ...(typeof media_type === 'string' ? { mime: media_type } : {}),
    ...(typeof block.title === 'string' ? { name: block.title } : {}),
  } as const
  if (type === 'base64' && typeof data === 'string') return { ...known, data }
  return type === 'url' && typeof url === 'string' ? { ...known, url } : undefined
}

/** Anthropic accepts images of four types, PDFs and plain text; a URL must be http or https. */
function write(media: Media): unknown {
  const { type, data, url, name } = media
  const media_type = mimeOf(media)
  const title = name === undefined ? {} : { title: name }
  if (type === 'image') {
    if (data === undefined) return isOnTheWeb(media) ? { type, source: { type: 'url', url } } : undefined
    return images.has(media_type) ? { type, source: { type: 'base64', media_type, data } } : undefined
  }
  if (type !== 'file') return undefined
  if (data === undefined)
    return isOnTheWeb(media) ? { type: 'document', source: { type: 'url', url }, ...title } : undefined
  if (media_type !== 'application/pdf') return undefined
  return { type: 'document', source: { type: 'base64', media_type, data }, ...title }
}

const images = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
