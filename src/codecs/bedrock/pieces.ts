import { asRecord, isRecord } from '../../core/conversation.ts'
import { base64 } from '../shared/base64.ts'
import { textsOf } from '../shared/envelope.ts'
import { type Media, type Piece, type Pieces, quotedDocument, readBlocks } from '../shared/pieces.ts'
import { formatOf, type Member, memberOf, members, mimeOf, typeOf } from './formats.ts'
import { withoutMarks } from './marks.ts'
import { contentBlock } from './result-content.ts'

/** Media occur in user messages and, except audio, in results; a JSON value occurs in results only. */
export const pieces: Pieces = {
  read,
  write: (media, within) =>
    within === 'assistant' || (within === 'result' && media.type === 'audio') ? undefined : write(media),
  readResult: readBlocks(read),
  writeResult: pieces => pieces.filter(piece => piece.kind !== 'text' || piece.text !== '').map(writeInResult),
}

const writeInResult = (piece: Piece): unknown =>
  piece.kind === 'media' ? write(piece) : contentBlock(piece.kind === 'text' ? piece.text : piece.value)

function read(raw: unknown): Piece | undefined {
  const block = withoutMarks(raw)
  if (!isRecord(block)) return undefined
  if ('json' in block) return { kind: 'json', value: block.json }
  const words = wordsOf(block)
  if (words.length > 0) return { kind: 'text', text: words.join('\n\n') }
  const quoted = readQuoted(block)
  if (quoted) return quoted
  const member = members.find(key => isRecord(block[key]))
  return member && readMedia(member, block[member] as Record<string, unknown>)
}

/** The text of a block, also of blocks that a guardrail checks or that have citations. */
function wordsOf({ text, guardContent, citationsContent }: Record<string, unknown>): string[] {
  if (typeof text === 'string') return [text]
  if (isRecord(guardContent)) return textsOf([guardContent.text])
  return isRecord(citationsContent) ? textsOf(citationsContent.content) : []
}

/** The text of a search result, or of a document that is text. */
function readQuoted({ searchResult, document }: Record<string, unknown>): Piece | undefined {
  if (isRecord(searchResult)) {
    const texts = textsOf(searchResult.content)
    return texts.length > 0 ? quotedDocument('search result', searchResult.title, texts.join('\n\n')) : undefined
  }
  const source = isRecord(document) && isRecord(document.source) ? document.source : {}
  const texts = textsOf(source.text ?? source.content)
  return texts.length > 0 ? quotedDocument('document', asRecord(document).name, texts.join('\n\n')) : undefined
}

function readMedia(member: Member, { format, name, source }: Record<string, unknown>): Media | undefined {
  if (!isRecord(source)) return undefined
  const mime = typeof format === 'string' ? mimeOf(member, format) : undefined
  const known = {
    kind: 'media',
    type: typeOf(member),
    ...(mime === undefined ? {} : { mime }),
    ...(typeof name === 'string' ? { name } : {}),
  } as const
  const data = base64(source.bytes)
  if (data !== undefined) return { ...known, data }
  const uri = isRecord(source.s3Location) ? source.s3Location.uri : undefined
  return typeof uri === 'string' ? { ...known, url: uri } : undefined
}

/** Only bytes and addresses in S3 are taken. */
function write(media: Media): unknown {
  const member = memberOf(media.type)
  const format = formatOf(member, media)
  const { data, url } = media
  if (format === undefined || (data === undefined && !url?.startsWith('s3://'))) return undefined
  const source = data === undefined ? { s3Location: { uri: url } } : { bytes: data }
  return { [member]: { format, ...(member === 'document' ? { name: nameOf(media) } : {}), source } }
}

/** Documents need a name, of letters, digits and a few signs. */
function nameOf({ name = '' }: Media): string {
  const plain = name
    .replace(/\.\w+$/, '')
    .replace(/[^a-zA-Z0-9\-()[\]]+/g, ' ')
    .trim()
    .slice(0, 200)
  return plain === '' ? 'document' : plain
}
