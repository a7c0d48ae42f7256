import { isRecord } from '../../core/conversation.ts'
import { isUrlObject } from '../../core/json/equal.ts'
import { base64 } from '../shared/base64.ts'
import { defaultMime, type Media, mediaAt, mediaType, type Piece, type Pieces, urlOf } from '../shared/pieces.ts'
import { isOutput } from './input-output.ts'

/** Images and files occur in user messages and results, files also in assistant messages. */
export const pieces: Pieces = {
  read,
  write: (media, within) => (within === 'result' ? writeInResult(media) : write(media, within)),
  readResult(content) {
    if (content === undefined || content === null) return []
    if (typeof content === 'string') return [{ kind: 'text', text: content }]
    if (!isOutput(content)) return [{ kind: 'json', value: content }]
    const { type, value } = content
    if (type === 'execution-denied')
      return typeof content.reason === 'string' ? [{ kind: 'text', text: content.reason }] : []
    if (type === 'content' && Array.isArray(value))
      return value.map(block => read(block) ?? { kind: 'json', value: block })
    return typeof value === 'string' ? [{ kind: 'text', text: value }] : [{ kind: 'json', value: value ?? null }]
  },
  writeResult(pieces) {
    const [only] = pieces
    if (!only) return { type: 'text', value: '' }
    if (pieces.length === 1 && only.kind === 'text') return { type: 'text', value: only.text }
    if (pieces.length === 1 && only.kind === 'json') return { type: 'json', value: only.value }
    const value = pieces.map(piece => {
      if (piece.kind === 'media') return writeInResult(piece)
      return { type: 'text', text: piece.kind === 'text' ? piece.text : JSON.stringify(piece.value) }
    })
    return { type: 'content', value }
  },
}

/** The types of media blocks, of messages and of results, by what they hold. */
const mediaTypes = new Set<unknown>([
  ...['image', 'file', 'reasoning-file'],
  ...['media', 'file-data', 'file-url', 'image-data', 'image-url'],
])

function read(block: unknown): Piece | undefined {
  if (!isRecord(block)) return undefined
  if (block.type === 'text' && typeof block.text === 'string') return { kind: 'text', text: block.text }
  if (!mediaTypes.has(block.type)) return undefined
  const mime = typeof block.mediaType === 'string' ? block.mediaType : block.mimeType
  const known = {
    ...(typeof mime === 'string' && mime.includes('/') ? { mime } : {}),
    ...(typeof block.filename === 'string' ? { name: block.filename } : {}),
  }
  const isImage = block.type === 'image' || block.type === 'image-data' || block.type === 'image-url'
  const type = isImage ? 'image' : mediaType(typeof mime === 'string' ? mime : undefined)
  const data = plain(block.image ?? block.url ?? block.data)
  if (isRecord(data)) return readTagged(type, data, known)
  return typeof data === 'string' ? readAddress(type, data, known) : undefined
}

/** In memory an address can be a URL, and bytes can be bytes. */
function plain(data: unknown): unknown {
  if (isUrlObject(data)) return data.href
  return data instanceof Uint8Array ? base64(data) : data
}

type Known = { readonly mime?: string; readonly name?: string }

/** Since version 7, data states its kind. */
function readTagged(type: Media['type'], data: Record<string, unknown>, known: Known): Piece | undefined {
  if (data.type === 'text' && typeof data.text === 'string') return { kind: 'text', text: data.text }
  if (data.type === 'data' && typeof data.data === 'string') return { kind: 'media', type, ...known, data: data.data }
  return data.type === 'url' && typeof data.url === 'string' ? mediaAt(type, data.url, known) : undefined
}

/** A text is an address if it looks like one, and base64 otherwise. */
const readAddress = (type: Media['type'], data: string, known: Known): Media =>
  /^[a-z][a-z0-9+.-]*:/i.test(data) ? mediaAt(type, data, known) : { kind: 'media', type, ...known, data }

function write(media: Media, within: 'user' | 'assistant'): unknown {
  const data = media.data ?? urlOf(media)
  if (data === undefined) return undefined
  if (media.type === 'image' && within === 'user')
    return { type: 'image', image: data, ...(media.mime === undefined ? {} : { mediaType: media.mime }) }
  const name = media.name === undefined ? {} : { filename: media.name }
  return { type: 'file', data, mediaType: media.mime ?? defaultMime[media.type], ...name }
}

function writeInResult({ type, data, url, mime, name }: Media): unknown {
  const sort = type === 'image' ? 'image' : 'file'
  if (data === undefined) return url === undefined ? undefined : { type: `${sort}-url`, url }
  const named = name === undefined || type === 'image' ? {} : { filename: name }
  return { type: `${sort}-data`, data, mediaType: mime ?? defaultMime[type], ...named }
}
