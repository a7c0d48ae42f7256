import { type Fields, isRecord } from '../../core/conversation.ts'
import {
  defaultMime,
  type Media,
  mediaAt,
  type Piece,
  type Pieces,
  readBlocks,
  urlOf,
  writeBlocks,
} from '../shared/pieces.ts'
import { text } from '../shared/text.ts'

/**
 * LangChain passes content on in the form of the provider, so the blocks of several providers are read. Only blocks that all its
 * integrations accept are written.
 */
export const pieces: Pieces = {
  read,
  write: (media, within) => (within === 'assistant' ? undefined : write(media)),
  readResult: readBlocks(read),
  writeResult: writeBlocks(write),
}

function read(block: unknown): Piece | undefined {
  if (typeof block === 'string') return { kind: 'text', text: block }
  if (!isRecord(block)) return undefined
  switch (block.type) {
    case 'text':
    case 'text-plain':
      return typeof block.text === 'string' ? { kind: 'text', text: block.text } : undefined
    case 'image_url': {
      const url = isRecord(block.image_url) ? block.image_url.url : block.image_url
      return typeof url === 'string' ? mediaAt('image', url) : undefined
    }
    case 'input_audio': {
      const { data, format } = isRecord(block.input_audio) ? block.input_audio : {}
      if (typeof data !== 'string') return undefined
      return { kind: 'media', type: 'audio', mime: `audio/${text(format) || 'wav'}`, data }
    }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return readMedia(block.type, block)
    case 'document':
      return readMedia('file', block)
  }
  return undefined
}

/** A medium with its bytes or its address in the block itself, or in its source. */
function readMedia(type: Media['type'], block: Fields): Piece | undefined {
  const source = isRecord(block.source) ? block.source : isRecord(block.file) ? block.file : block
  const { mimeType, mime_type, media_type, data, file_data, url } = source
  if (source.type === 'text' && typeof data === 'string') return { kind: 'text', text: data }
  if (block.source_type === 'text' && typeof block.text === 'string') return { kind: 'text', text: block.text }
  const mime = text(mimeType) || text(mime_type) || text(media_type)
  const metadata = isRecord(block.metadata) ? block.metadata : {}
  const name = text(metadata.filename) || text(metadata.name) || text(source.filename) || text(block.title)
  const known = { ...(mime === '' ? {} : { mime }), ...(name === '' ? {} : { name }) }
  if (typeof file_data === 'string') return mediaAt(type, file_data, known)
  if (typeof data === 'string') return { kind: 'media', type, ...known, data }
  return typeof url === 'string' ? mediaAt(type, url, known) : undefined
}

function write(media: Media): unknown {
  const { type, mime, data, name } = media
  const url = urlOf(media)
  if (url === undefined) return undefined
  if (type === 'image') return { type: 'image_url', image_url: { url } }
  return {
    type,
    ...(data === undefined ? { url: media.url } : { data }),
    ...(mime !== undefined || data !== undefined ? { mimeType: mime ?? defaultMime[type] } : {}),
    ...(name === undefined ? {} : { metadata: { filename: name } }),
  }
}
