import { isRecord } from '../conversation.ts'
import { type ImageFacts, imageDefect, readImage } from '../media/image.ts'
import { byteLength, type MediaData } from '../media/media-bytes.ts'
import { quoteLabel, quoteLines } from '../quote.ts'
import { asFields, asList, type BodyDraft, type MutableFields, scalarText } from './body-draft.ts'
import { type PartPlace, rewriteParts, textPart } from './parts.ts'

export type MediumKind = 'image' | 'document' | 'audio' | 'video'

/** An image or another medium in a request: its data, or where they are. */
export interface Medium {
  readonly kind: MediumKind
  /** The media type that the request declares. */
  readonly type?: string | undefined
  readonly data?: MediaData | undefined
  /** The whole `data:` URI, where it is one. */
  readonly uri?: string | undefined
  readonly url?: string | undefined
  readonly file?: string | undefined
  readonly name?: string | undefined
  /** The text of a document that the request contains as text. */
  readonly text?: string | undefined
}

/** The medium that a part is, in any format; undefined for any other part. */
export function readMedium(part: MutableFields): Medium | undefined {
  const { type } = part
  const medium = readOpenAiPart(part)
  if (medium) return medium
  if (type === 'image' && isImageData(part.image))
    return readSdkFile({ ...part, data: part.image, mediaType: 'image/*' })
  if (typeof part.mediaType === 'string' || type === 'image-url' || type === 'file-url') return readSdkFile(part)
  if (isStandardBlock(part)) return readStandardBlock(part)
  const source = asFields(part.source)
  if ((type === 'image' || type === 'document') && source)
    return { kind: type, ...readSource(source), name: textOf(part.title) }
  return readGeminiPart(part) ?? readConverseBlock(part)
}

/** A part of Chat Completions or Responses. */
function readOpenAiPart(part: MutableFields): Medium | undefined {
  const { type } = part
  if (type === 'image_url' || type === 'video_url' || type === 'audio_url') {
    const holder = part[type]
    const kind: MediumKind = type === 'image_url' ? 'image' : type === 'video_url' ? 'video' : 'audio'
    return { kind, ...readUrl(isRecord(holder) ? holder.url : holder) }
  }
  if (type === 'input_image')
    return { kind: 'image', ...readFile(part.file_id), ...readUrl(part.image_url ?? part.image) }
  if (type === 'input_audio') return { kind: 'audio', data: dataOf(asFields(part.input_audio)?.data) }
  if (type === 'input_file')
    return { kind: 'document', ...readFile(part.file_id), ...readUrl(part.file_url ?? part.file_data) }
  const file = asFields(part.file)
  if (type === 'file' && file) return { kind: 'document', ...readFile(file.file_id), ...readUrl(file.file_data) }
  return undefined
}

function readGeminiPart(part: MutableFields): Medium | undefined {
  const inline = asFields(part.inlineData ?? part.inline_data)
  if (inline) {
    const declared = typeOf(inline)
    return { kind: kindOf(declared), type: declared, data: dataOf(inline.data) }
  }
  const stored = asFields(part.fileData ?? part.file_data)
  if (!stored) return undefined
  return { kind: kindOf(typeOf(stored)), type: typeOf(stored), url: textOf(stored.fileUri ?? stored.file_uri) }
}

/** A block of Bedrock's Converse, which has its kind as its only key. */
function readConverseBlock(part: MutableFields): Medium | undefined {
  for (const kind of ['image', 'document', 'video', 'audio'] as const) {
    const block = asFields(part[kind])
    if (!block || typeof block.format !== 'string') continue
    const family = kind === 'document' ? 'application' : kind
    const { bytes, s3Location, text, content } = asFields(block.source) ?? {}
    const url = textOf(asFields(s3Location)?.uri)
    const known = { kind, type: `${family}/${block.format}`, name: textOf(block.name) }
    return { ...known, data: dataOf(bytes), url, text: textOfSource(text ?? content) }
  }
  return undefined
}

/** A file of the AI SDK: its data, or a URL, as such or in an object that says which. */
function readSdkFile({ type, mediaType, data, url, filename }: MutableFields): Medium | undefined {
  const held = asFields(data)
  const inner = held && typeof held.type === 'string' ? (held.data ?? held.url) : (data ?? url)
  const declared = textOf(mediaType) ?? ''
  const kind = type === 'image-url' || declared === 'image' ? 'image' : kindOf(declared)
  const link = asFields(inner)?.href ?? inner
  if (typeof link === 'string' && /^https?:/.test(link))
    return { kind, type: declared, ...readUrl(link), name: textOf(filename) }
  if (typeof inner === 'string' && inner.startsWith('data:')) return { kind, ...readUrl(inner) }
  return inner === undefined ? undefined : { kind, type: declared, data: dataOf(inner), name: textOf(filename) }
}

/** The image of a message of the AI SDK, which looks at its bytes to find the type: data, a URL, or an object that says which. */
const isImageData = (value: unknown): boolean =>
  typeof value === 'string' ||
  value instanceof Uint8Array ||
  typeof asFields(value)?.href === 'string' ||
  typeof asFields(value)?.type === 'string'

/** A block of LangChain, whichever provider it is for: `image`, `audio`, `video` or `file`, with its data or URL in a field next to it. */
const isStandardBlock = ({ type, data, url, source_type, source }: MutableFields): boolean =>
  ['image', 'audio', 'video', 'file'].includes(scalarText(type)) &&
  source === undefined &&
  (typeof source_type === 'string' ||
    [data, url].some(value => typeof value === 'string') ||
    dataOf(data) !== undefined)

function readStandardBlock({
  type,
  data,
  url,
  mimeType,
  mime_type,
  source_type,
  metadata,
}: MutableFields): Medium | undefined {
  if (source_type === 'text') return undefined
  const declared = textOf(mimeType ?? mime_type)
  const kind = type === 'file' ? kindOf(declared ?? '') : (type as MediumKind)
  const name = textOf(asFields(metadata)?.filename)
  const known = { kind, ...(declared !== undefined && { type: declared }), ...(name !== undefined && { name }) }
  return data === undefined ? { ...known, ...readUrl(url) } : { ...known, data: dataOf(data) }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const dataOf = (value: unknown): MediaData | undefined =>
  typeof value === 'string' || value instanceof Uint8Array ? value : undefined

const typeOf = (holder: MutableFields): string => textOf(holder.mimeType ?? holder.mime_type) ?? ''

const kindOf = (type: string): MediumKind =>
  (['image', 'audio', 'video'] as const).find(kind => type.startsWith(`${kind}/`)) ?? 'document'

const readFile = (id: unknown): Pick<Medium, 'file'> => (typeof id === 'string' ? { file: id } : {})

function readUrl(value: unknown): Pick<Medium, 'type' | 'data' | 'uri' | 'url'> {
  if (typeof value !== 'string') return {}
  if (!value.startsWith('data:')) return { url: value }
  const comma = value.indexOf(',')
  const head = value.slice(5, Math.max(5, comma))
  return { type: head.split(';')[0], data: value.slice(comma + 1), uri: value }
}

function readSource(source: MutableFields): Omit<Medium, 'kind'> {
  if (source.type === 'url') return { url: textOf(source.url) }
  if (source.type === 'file') return { file: textOf(source.file_id) }
  if (source.type === 'text') return { text: textOfSource(source.data) }
  if (source.type === 'content') return { text: textOfSource(source.content) }
  return { type: textOf(source.media_type), data: dataOf(source.data) }
}

/** The text of a document: a string, or blocks of text and images. Undefined if none of them is text. */
function textOfSource(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  const texts = asList(content).flatMap(block => textOf(asFields(block)?.text) ?? [])
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

/** A medium and where it is. */
export interface FoundMedium extends Medium, PartPlace {
  readonly part: MutableFields
}

/** All media of a request, the oldest first. */
export function findMedia(draft: BodyDraft): FoundMedium[] {
  const found: FoundMedium[] = []
  rewriteParts(draft, (part, place) => {
    const medium = readMedium(part)
    if (medium) found.push({ ...medium, ...place, part })
    return part
  })
  return found
}

/** Replaces media by a short text that says what was there. */
export function replaceMedia(
  draft: BodyDraft,
  media: readonly FoundMedium[],
  why: string | ((medium: FoundMedium) => string),
): void {
  if (media.length === 0) return
  const change = (medium: FoundMedium): boolean => {
    const reason = typeof why === 'string' ? why : why(medium)
    return draft.change('lossy', medium.at, `the ${medium.kind} becomes a text: ${reason}`, () => {})
  }
  if (!draft.allows('lossy')) {
    for (const medium of media) change(medium)
    return
  }
  const gone = new Map<unknown, FoundMedium>(media.map(medium => [medium.part, medium]))
  rewriteParts(draft, (part, { role, inResult }) => {
    const medium = gone.get(part)
    if (!medium || !change(medium)) return part
    return textPart(draft, describeMedium(medium), role, inResult)
  })
}

/** What a medium was, in a few words; for a document that is text its text, for an SVG its source. */
export function describeMedium({ kind, type, data, url, file, name, text }: Medium): string {
  if (text !== undefined) return `[${name ? `${kind} ${quoteLabel(name)}` : kind}, quoted]\n${quoteLines(text)}`
  if (type === 'image/svg+xml' && data !== undefined && data.length < svgMax)
    return `[image/svg+xml, quoted]\n${quoteLines(decodeText(data))}`
  const facts = data !== undefined && kind === 'image' ? readImage(data) : undefined
  const words = [
    name,
    facts?.type ?? type,
    facts?.width === undefined ? undefined : `${facts.width}x${facts.height} px`,
    data === undefined || data.length === 0 ? undefined : sizeText(byteLength(data)),
    url ?? file,
  ].flatMap(word => (word === undefined || word === '' ? [] : [quoteLabel(word)]))
  return `[${kind} removed${words.length === 0 ? '' : `: ${words.join(', ')}`}]`
}

const svgMax = 20_000

/** In a `data:` URI a text may be base64, percent-encoded or itself. */
function decodeText(data: MediaData): string {
  if (typeof data !== 'string') return new TextDecoder().decode(data)
  try {
    return /^[\w+/=\s]*$/.test(data)
      ? new TextDecoder().decode(Uint8Array.from(atob(data), letter => letter.charCodeAt(0)))
      : decodeURIComponent(data)
  } catch {
    return data
  }
}

const sizeText = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 * 1024
      ? `${Math.round(bytes / 1024)} KB`
      : `${(bytes / 2 ** 20).toFixed(1)} MB`

/** Images that are inline and cannot be read, by their header. */
export const unreadableImages = (media: readonly FoundMedium[]): FoundMedium[] =>
  media.filter(({ kind, data }) => kind === 'image' && data !== undefined && imageDefect(data) !== undefined)

/** What the header of an inline image says; each is read once. */
export function headerOf(medium: Medium): ImageFacts | undefined {
  const { kind, data } = medium
  if (kind !== 'image' || data === undefined) return undefined
  if (!headers.has(medium)) headers.set(medium, readImage(data))
  return headers.get(medium)
}

const headers = new WeakMap<Medium, ImageFacts | undefined>()

/** The longer and the shorter side of an inline image, where its header says so. */
export function sidesOf(
  medium: Medium,
): { readonly longer: number; readonly shorter: number; readonly area: number } | undefined {
  const facts = headerOf(medium)
  if (facts?.width === undefined || facts.height === undefined) return undefined
  const { width, height } = facts
  return { longer: Math.max(width, height), shorter: Math.min(width, height), area: width * height }
}

/** Sets the declared type of a medium. */
export function setType(part: MutableFields, type: string): void {
  const source = asFields(part.source)
  const inline = asFields(part.inlineData ?? part.inline_data)
  const block = asFields(part.image)
  if (typeof part.mediaType === 'string') part.mediaType = type
  else if (typeof part.mimeType === 'string') part.mimeType = type
  else if (typeof part.mime_type === 'string') part.mime_type = type
  else if (source && 'media_type' in source) source.media_type = type
  else if (inline) inline['mime_type' in inline ? 'mime_type' : 'mimeType'] = type
  else if (block && 'format' in block) block.format = type.replace(/^image\//, '')
  else if (typeof part.image_url === 'string') part.image_url = retyped(part.image_url, type)
  else if (typeof part.image === 'string') part.image = retyped(part.image, type)
  else {
    const holder = asFields(part.image_url)
    if (typeof holder?.url === 'string') holder.url = retyped(holder.url, type)
  }
}

const retyped = (uri: string, type: string): string => uri.replace(/^data:[^;,]*/, `data:${type}`)
