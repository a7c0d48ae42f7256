import { asRecord, isRecord } from '../../core/conversation.ts'
import { defaultMime, type Media, mediaType, type Piece, type Pieces, readBlocks, wordsOf } from '../shared/pieces.ts'

/** Media occur in user messages and in results; assistant content is a text. */
export const pieces: Pieces = {
  read,
  write: (media, within) => (within === 'assistant' ? undefined : write(media)),
  readResult(content, raw) {
    const resultPieces = readBlocks(read)(content === '' ? undefined : content)
    const { error } = asRecord(raw)
    return typeof error === 'string' && error !== content && error !== ''
      ? [...resultPieces, { kind: 'text', text: error }]
      : resultPieces
  },
  writeResult(pieces) {
    if (pieces.every(({ kind }) => kind !== 'media')) return wordsOf(pieces)
    return pieces.map(piece => {
      if (piece.kind === 'media') return write(piece)
      return { type: 'text', text: piece.kind === 'text' ? piece.text : JSON.stringify(piece.value) }
    })
  },
}

function read(block: unknown): Piece | undefined {
  if (!isRecord(block)) return undefined
  const { type, source } = block
  if (type === 'text' && typeof block.text === 'string') return { kind: 'text', text: block.text }
  if (type === 'binary') return readBinary(block)
  const medium = typeof type === 'string' ? types.get(type) : undefined
  if (!medium || !isRecord(source) || typeof source.value !== 'string') return undefined
  const known = { kind: 'media', type: medium, ...mimeOf(source), ...nameOf(block.metadata) } as const
  if (source.type === 'data') return { ...known, data: source.value }
  return source.type === 'url' ? { ...known, url: source.value } : undefined
}

/** The one block for all media that there was before each got its own. */
function readBinary(block: Record<string, unknown>): Media | undefined {
  const mime = mimeOf(block)
  const known = { kind: 'media', type: mediaType(mime.mime), ...mime, ...nameOf(block) } as const
  if (typeof block.data === 'string') return { ...known, data: block.data }
  return typeof block.url === 'string' ? { ...known, url: block.url } : undefined
}

const types = new Map<string, Media['type']>([
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['document', 'file'],
])

function mimeOf({ mimeType, mime_type }: Record<string, unknown>): { mime?: string } {
  const mime = mimeType ?? mime_type
  return typeof mime === 'string' ? { mime } : {}
}

const nameOf = (fields: unknown): { name?: string } =>
  isRecord(fields) && typeof fields.filename === 'string' ? { name: fields.filename } : {}

function write({ type, data, url, mime, name }: Media): unknown {
  const value = data ?? url
  if (value === undefined) return undefined
  const mimeType = mime ?? (data === undefined ? undefined : defaultMime[type])
  const source = {
    type: data === undefined ? 'url' : 'data',
    value,
    ...(mimeType === undefined ? {} : { mimeType }),
  }
  const named = name === undefined ? {} : { metadata: { filename: name } }
  return { type: type === 'file' ? 'document' : type, source, ...named }
}
