import type { Codec } from '../../../codecs/codec.ts'
import type { Piece as ContentPiece } from '../../../codecs/shared/pieces.ts'
import type { Message, Part } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import type { ContentBlock, MessageContent } from '../document-service.ts'
import type { DecodedDocument } from './decoded-document.ts'
import { deepJsonText, isDeep } from './deep-json.ts'
import { imageUrlOf, readOtherContent, readResultContent } from './read-content.ts'

/** The whole content of a message, part by part. */
export const messageContentOf = (
  message: Message,
  { codec, recordsOf }: Pick<DecodedDocument, 'codec' | 'recordsOf'>,
): MessageContent => ({
  blocks: [
    ...message.parts.flatMap(part => blocksOf(part, codec)),
    ...(recordsOf?.(message) ?? []).map(({ at, text }) => valueBlock(at, text)),
  ],
})

function blocksOf(part: Part, codec: Codec | undefined): ContentBlock[] {
  switch (part.kind) {
    case 'text':
      return [{ kind: 'text', title: 'text', text: part.text }]
    case 'reasoning':
      return [{ kind: 'text', title: 'reasoning', text: part.text }]
    case 'call':
      return [valueBlock(part.name || 'call', part.input)]
    case 'result': {
      const title = part.error ? 'error' : 'result'
      const piece = readResultContent(part, codec)
      return piece.length === 0 ? [valueBlock(title, part.content)] : piece.map(piece => blockOf(title, piece))
    }
    case 'other': {
      const piece = readOtherContent(part, codec)
      return [
        imageUrlOf(piece) === undefined
          ? valueBlock(titleOf(piece), part.raw)
          : blockOf('image', piece as ContentPiece),
      ]
    }
  }
}

const titleOf = (piece: ContentPiece | undefined): string => (piece?.kind === 'media' ? piece.type : 'content')

function blockOf(title: string, piece: ContentPiece): ContentBlock {
  const url = imageUrlOf(piece)
  if (url !== undefined) return { kind: 'image', title, url }
  return valueBlock(title, piece.kind === 'text' ? piece.text : piece.kind === 'json' ? piece.value : piece)
}

/** A value as a tree. A JSON text is parsed; a value that is nested too deeply is shown as text. */
function valueBlock(title: string, value: unknown): ContentBlock {
  if (typeof value === 'string') {
    const parsed = parseTree(value)
    return parsed === undefined || isDeep(parsed, depthMax)
      ? { kind: 'text', title, text: value }
      : { kind: 'json', title, value: parsed }
  }
  if (isDeep(value, depthMax)) return { kind: 'text', title, text: deepJsonText(value) }
  return { kind: 'json', title, value: value ?? null }
}

/** Deeper values are not drawn as a tree, and cannot be sent to another thread. */
const depthMax = 200

/** The object or list in a JSON text. */
function parseTree(text: string): unknown {
  return /^\s*[[{]/.test(text) ? tryParseJson(text) : undefined
}
