import { isRecord } from '../../core/conversation.ts'
import {
  isOnTheWeb,
  type Media,
  mediaAt,
  mediaType,
  type Piece,
  type Pieces,
  readBlocks,
  readDataUrl,
  urlOf,
  wordsOf,
} from '../shared/pieces.ts'

/** Images and files occur in user messages and in results. */
export const pieces: Pieces = {
  read,
  write: (media, within) => (within === 'assistant' ? undefined : write(media)),
  readResult: readBlocks(read),
  writeResult(pieces) {
    if (!pieces.some(piece => piece.kind === 'media')) return wordsOf(pieces)
    return pieces.map(piece => {
      if (piece.kind === 'media') return write(piece)
      return { type: 'input_text', text: piece.kind === 'text' ? piece.text : JSON.stringify(piece.value) }
    })
  },
}

const texts = new Set<unknown>(['text', 'input_text', 'output_text'])

function read(block: unknown): Piece | undefined {
  if (!isRecord(block)) return undefined
  if (texts.has(block.type) && typeof block.text === 'string') return { kind: 'text', text: block.text }
  if (block.type === 'refusal' && typeof block.refusal === 'string') return { kind: 'text', text: block.refusal }
  if ((block.type === 'input_image' || block.type === 'computer_screenshot') && typeof block.image_url === 'string')
    return mediaAt('image', block.image_url)
  if (block.type !== 'input_file') return undefined
  const name = typeof block.filename === 'string' ? { name: block.filename } : {}
  if (typeof block.file_url === 'string') return mediaAt('file', block.file_url, name)
  if (typeof block.file_data !== 'string') return undefined
  const inline = readDataUrl(block.file_data)
  return { kind: 'media', type: mediaType(inline?.mime), ...(inline ?? { data: block.file_data }), ...name }
}

function write(media: Media): unknown {
  const address = urlOf(media)
  if (address === undefined || media.type === 'audio' || media.type === 'video') return undefined
  if (media.data === undefined && !isOnTheWeb(media)) return undefined
  if (media.type === 'image') return { type: 'input_image', image_url: address }
  const name = media.name === undefined ? {} : { filename: media.name }
  return media.data === undefined
    ? { type: 'input_file', ...name, file_url: address }
    : { type: 'input_file', filename: media.name ?? 'file', file_data: address }
}
