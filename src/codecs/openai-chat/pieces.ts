import { isRecord } from '../../core/conversation.ts'
import {
  isOnTheWeb,
  type Media,
  mediaAt,
  mediaType,
  mimeOf,
  type Piece,
  type Pieces,
  readBlocks,
  readDataUrl,
  urlOf,
  wordsOf,
} from '../shared/pieces.ts'
import { text } from '../shared/text.ts'

/** Images, audio and files occur in user messages only; a result is a text. */
export const pieces: Pieces = {
  read,
  write: (media, within) => (within === 'user' ? write(media) : undefined),
  readResult: readBlocks(read),
  writeResult: wordsOf,
}

function read(block: unknown): Piece | undefined {
  if (!isRecord(block)) return undefined
  if (block.type === 'text' && typeof block.text === 'string') return { kind: 'text', text: block.text }
  if (block.type === 'refusal' && typeof block.refusal === 'string') return { kind: 'text', text: block.refusal }
  if (block.type === 'image_url' && isRecord(block.image_url) && typeof block.image_url.url === 'string')
    return mediaAt('image', block.image_url.url)
  if (block.type === 'input_audio' && isRecord(block.input_audio)) {
    const { data, format } = block.input_audio
    return { kind: 'media', type: 'audio', mime: `audio/${text(format) || 'wav'}`, data: text(data) }
  }
  if (block.type === 'file' && isRecord(block.file)) return readFile(block.file)
  return undefined
}

function readFile({ file_data, filename }: Record<string, unknown>): Media | undefined {
  if (typeof file_data !== 'string') return undefined
  const name = typeof filename === 'string' ? { name: filename } : {}
  const inline = readDataUrl(file_data) ?? { data: file_data }
  return { kind: 'media', type: mediaType('mime' in inline ? inline.mime : undefined), ...inline, ...name }
}

function write(media: Media): unknown {
  const url = urlOf(media)
  const { type, data, name } = media
  if (type === 'image') {
    return data !== undefined || isOnTheWeb(media) ? { type: 'image_url', image_url: { url } } : undefined
  }
  if (data === undefined || type === 'video') return undefined
  if (type === 'file') return { type: 'file', file: { filename: name ?? 'file', file_data: url } }
  const format = formats.get(mimeOf(media))
  return format === undefined ? undefined : { type: 'input_audio', input_audio: { data, format } }
}

const formats = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
])
