import { isRecord } from '../../core/conversation.ts'
import { type Media, mediaType, mimeOf, type Piece, type Pieces, wordsOf } from '../shared/pieces.ts'
import { text } from '../shared/text.ts'
import { decodePart } from './decode.ts'
import { fieldValue, keys } from './keys.ts'

/** Media occur in the turns of both sides. A result is an object, with its content under a key. */
export const pieces: Pieces = {
  read,
  write: (media, within) => (within === 'result' ? undefined : write(media)),
  readResult,
  writeResult(pieces) {
    const [only] = pieces
    return pieces.length === 1 && only?.kind === 'json' ? only.value : wordsOf(pieces)
  },
}

function read(block: unknown): Piece | undefined {
  if (!isRecord(block)) return undefined
  const part = decodePart(block)
  if (part.kind === 'text') return { kind: 'text', text: part.text }
  const inline = fieldValue(block, keys.inlineData)
  if (isRecord(inline) && typeof inline.data === 'string') return { ...medium(inline), data: inline.data }
  const file = fieldValue(block, keys.fileData)
  const url = isRecord(file) ? text(file.fileUri ?? file.file_uri) : ''
  return isRecord(file) && url !== '' ? { ...medium(file), url } : undefined
}

function medium(blob: Readonly<Record<string, unknown>>): Media {
  const mime = text(blob.mimeType ?? blob.mime_type)
  const name = text(blob.displayName ?? blob.display_name)
  return {
    kind: 'media',
    type: mediaType(mime),
    ...(mime === '' ? {} : { mime }),
    ...(name === '' ? {} : { name }),
  }
}

function write(media: Media): unknown {
  const { data, url } = media
  const mimeType = mimeOf(media)
  if (data !== undefined) return { inlineData: { mimeType, data } }
  return url === undefined ? undefined : { fileData: { mimeType, fileUri: url } }
}

function readResult(content: unknown, raw?: unknown): Piece[] {
  const result = isRecord(raw) ? fieldValue(raw, keys.result) : undefined
  const parts = isRecord(result) && Array.isArray(result.parts) ? result.parts : []
  const media = parts.map(read).filter(piece => piece !== undefined)
  if (content === undefined || content === null) return media
  const inner = isRecord(content) && Object.keys(content).length === 1 ? spoken(content) : content
  return [typeof inner === 'string' ? { kind: 'text', text: inner } : { kind: 'json', value: inner }, ...media]
}

/** The value of the only key of a response, if that key is a generic one. */
const spoken = (response: Readonly<Record<string, unknown>>): unknown =>
  response.output ?? response.result ?? response.error ?? response.content ?? response
