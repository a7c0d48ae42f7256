import { isRecord } from '../../core/conversation.ts'
import {
  type Media,
  mediaAt,
  mediaType,
  type Piece,
  type Pieces,
  readBlocks,
  readDataUrl,
  urlOf,
  wordsOf,
} from '../pieces.ts'
import { text } from '../text.ts'

/** Images, sounds and files stand in user messages only; a result is a text. */
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
  if (url === undefined) return undefined
  if (media.type === 'image') return { type: 'image_url', image_url: { url } }
  if (media.data === undefined) return undefined
  if (media.type === 'audio') {
    const format = media.mime === 'audio/mpeg' || media.mime === 'audio/mp3' ? 'mp3' : 'wav'
    return { type: 'input_audio', input_audio: { data: media.data, format } }
  }
  return { type: 'file', file: { filename: media.name ?? 'file', file_data: url } }
}
