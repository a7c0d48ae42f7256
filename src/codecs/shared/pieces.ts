import { quoteLabel, quoteLines } from '../../core/quote.ts'

/** Content in terms that every format can translate. `convert` reads and writes it. */
export type Piece = Text | Media | Json

export interface Text {
  readonly kind: 'text'
  readonly text: string
}

/** An image, a sound, a film or a file, with its bytes as base64 or the address where they are. */
export interface Media {
  readonly kind: 'media'
  readonly type: 'image' | 'audio' | 'video' | 'file'
  readonly mime?: string
  readonly data?: string
  readonly url?: string
  readonly name?: string
}

/** A value that a tool gave back. */
export interface Json {
  readonly kind: 'json'
  readonly value: unknown
}

/** How a format writes pieces. */
export interface Pieces {
  /** The content of a block, if it is known. */
  read(block: unknown): Piece | undefined
  /** A block with this content, or undefined where the format has none. */
  write(piece: Media, within: 'user' | 'assistant' | 'result'): unknown
  /** The content of a result; the content and the block around it are as `decode` returns them. */
  readResult(content: unknown, raw?: unknown): Piece[]
  /** The content of a result, as `encode` takes it. Media for which `write` has no block never get here. */
  writeResult(pieces: readonly Piece[]): unknown
}

/**
 * The text of a document or a search result where only text can be written. The label keeps it apart from what the user says: the model must
 * not take what a web page says for an instruction.
 */
export function quotedDocument(kind: 'document' | 'search result', title: unknown, text: string): Text {
  const name = typeof title === 'string' && title !== '' ? ` ${JSON.stringify(quoteLabel(title))}` : ''
  return { kind: 'text', text: `[${kind}${name}, quoted]\n${quoteLines(text)}\n[end of ${kind}]` }
}

/** The parts of a `data:` address, or undefined for any other. */
export function readDataUrl(url: string): { mime?: string; data: string } | undefined {
  const comma = url.startsWith('data:') ? url.indexOf(';base64,') : -1
  if (comma < 0) return undefined
  const [mime] = url.slice(5, comma).split(';')
  return { ...(mime === '' ? {} : { mime }), data: url.slice(comma + 8) }
}

/** Where a medium is found: its own address, or a `data:` address with its bytes. */
export const urlOf = ({ url, data, mime, type }: Media): string | undefined =>
  url ?? (data === undefined ? undefined : `data:${mime ?? defaultMime[type]};base64,${data}`)

/** A medium from its URL, with what is known of its kind. */
export function mediaAt(type: Media['type'], address: string, known: { mime?: string; name?: string } = {}): Media {
  const inline = readDataUrl(address)
  return { kind: 'media', type, ...known, ...(inline ?? { url: address }) }
}

/** The kind of medium that a MIME type names. */
export function mediaType(mime: string | undefined): Media['type'] {
  const main = mime?.split('/')[0]
  return main === 'image' || main === 'audio' || main === 'video' ? main : 'file'
}

export const defaultMime: Readonly<Record<Media['type'], string>> = {
  image: 'image/png',
  audio: 'audio/wav',
  video: 'video/mp4',
  file: 'application/octet-stream',
}

/** The text of pieces, values as JSON; media are left out. */
export const wordsOf = (pieces: readonly Piece[]): string =>
  pieces
    .map(piece => (piece.kind === 'text' ? piece.text : piece.kind === 'json' ? JSON.stringify(piece.value) : ''))
    .filter(words => words !== '')
    .join('\n\n')

/** The pieces of a result whose content is a text or a list of blocks. */
export const readBlocks =
  (read: Pieces['read']): Pieces['readResult'] =>
  content => {
    if (typeof content === 'string') return [{ kind: 'text', text: content }]
    if (Array.isArray(content)) return content.map(block => read(block) ?? { kind: 'json', value: block })
    return content === undefined || content === null ? [] : [read(content) ?? { kind: 'json', value: content }]
  }

/** The content of a result as a text or a list of blocks; `write` makes the block of a medium. */
export const writeBlocks =
  (write: (media: Media) => unknown): Pieces['writeResult'] =>
  pieces => {
    const [only] = pieces
    if (pieces.length === 0) return ''
    if (pieces.length === 1 && only?.kind === 'text') return only.text
    return pieces.map(piece => {
      if (piece.kind === 'media') return write(piece)
      return { type: 'text', text: piece.kind === 'text' ? piece.text : JSON.stringify(piece.value) }
    })
  }

/** Whether a medium is at an address that anybody can reach. */
export const isOnTheWeb = ({ url }: Media): boolean => url !== undefined && /^https?:/i.test(url)

/** The MIME type of a medium, from the extension of its URL if needed. */
export function mimeOf({ mime, url, type }: Media): string {
  const [path = ''] = url?.split(/[?#]/) ?? []
  const [, ending = ''] = path.match(/\.(\w+)$/) ?? []
  return mime ?? mimeByEnding.get(ending.toLowerCase()) ?? defaultMime[type]
}

const mimeByEnding: ReadonlyMap<string, string> = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['mp4', 'video/mp4'],
])
