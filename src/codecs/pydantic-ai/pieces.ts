import { isRecord } from '../../core/conversation.ts'
import { jsonText } from '../../core/json/json-text.ts'
import { type Media, mediaType, mimeOf, type Piece, type Pieces } from '../shared/pieces.ts'
import { text } from '../shared/text.ts'
import { textIn } from './decode.ts'

/** Files occur in prompts, in results and in files of the model. A result is any value. */
export const pieces: Pieces = {
  read,
  write: (media, within) => (within === 'assistant' ? undefined : write(media)),
  readResult,
  writeResult(pieces) {
    const [only] = pieces
    const values = pieces.map(piece =>
      piece.kind === 'media' ? write(piece) : piece.kind === 'text' ? piece.text : piece.value,
    )
    return pieces.length === 0 ? '' : only && pieces.length === 1 && only.kind !== 'media' ? values[0] : values
  },
}

function read(item: unknown): Piece | undefined {
  const words = textIn(item)
  if (words !== undefined) return { kind: 'text', text: words }
  if (!isRecord(item)) return undefined
  if (item.part_kind === 'file') return read(item.content)
  const mime = text(item.media_type)
  const known = mime === '' ? {} : { mime }
  if (item.kind === 'binary' && typeof item.data === 'string')
    return { kind: 'media', type: mediaType(mime), ...known, data: item.data }
  const [, type] = /^(image|audio|video|document)-url$/.exec(text(item.kind)) ?? []
  if (type === undefined || typeof item.url !== 'string') return undefined
  return { kind: 'media', type: type === 'document' ? 'file' : (type as Media['type']), ...known, url: item.url }
}

function write(media: Media): unknown {
  const { data, url, type } = media
  if (data !== undefined) return { data, media_type: mimeOf(media), kind: 'binary' }
  return url === undefined ? undefined : { url, kind: `${type === 'file' ? 'document' : type}-url` }
}

/** A list with files in it is content; any other value is what the tool returned. */
function readResult(content: unknown, raw?: unknown): Piece[] {
  if (content === undefined || content === null) return []
  if (isRecord(raw) && raw.part_kind === 'retry-prompt' && typeof content !== 'string')
    return [{ kind: 'text', text: jsonText(content) }]
  const file = read(content)
  if (file) return [file]
  if (!Array.isArray(content) || !content.some(item => isRecord(item) && read(item)))
    return [{ kind: 'json', value: content }]
  return content.map((item): Piece => read(item) ?? { kind: 'json', value: item })
}
