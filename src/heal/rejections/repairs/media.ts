import { readImage } from '../../../core/media/image.ts'
import { base64Length, byteLength } from '../../../core/media/media-bytes.ts'
import { readPdf } from '../../../core/media/pdf.ts'
import { asFields } from '../../../core/request/body-draft.ts'
import {
  type FoundMedium,
  findMedia,
  type MediumKind,
  replaceMedia,
  setType,
  sidesOf,
  unreadableImages,
} from '../../../core/request/media-parts.ts'
import { lastTurnOf } from '../../../core/request/parts.ts'
import { bytesIn, resizeImages, shrinkImages } from '../../../core/request/resize-images.ts'
import { renameDocuments } from '../../../core/rules/media/repeated-document-name.ts'
import { namesUrl, rejectsAllUrls } from '../names-url.ts'
import { elementAt } from '../paths.ts'
import type { RequestDraft } from '../request-draft.ts'

const imagesOf = (draft: RequestDraft): FoundMedium[] => findMedia(draft).filter(({ kind }) => kind === 'image')

/** The media that the text names by their places. */
function namedMedia(draft: RequestDraft, media: readonly FoundMedium[]): FoundMedium[] {
  const named = new Set(draft.rejection.paths.map(path => elementAt(draft.body, path)))
  return media.filter(({ part }) => named.has(part))
}

const orNamed = (
  draft: RequestDraft,
  media: readonly FoundMedium[],
  found: readonly FoundMedium[],
): readonly FoundMedium[] => (found.length > 0 ? found : namedMedia(draft, media))

/** Sides above the limit. */
export function replaceTallImages(draft: RequestDraft): void {
  const { limit = 8000 } = draft.rejection
  const images = imagesOf(draft)
  const over = images.filter(image => (sidesOf(image)?.longer ?? 0) > limit)
  shrinkImages(draft, orNamed(draft, images, over), { side: limit }, `a side is longer than ${limit} px`)
}

/** A lower limit that applies to many images: the images above it are replaced, or the oldest until few are left, whichever are fewer. */
export function replaceTallImagesOfMany(draft: RequestDraft): void {
  const { limit = 2000 } = draft.rejection
  const images = imagesOf(draft)
  const why = `a side is longer than ${limit} px in a request with many images`
  const above = images.filter(image => (sidesOf(image)?.longer ?? 0) > limit)
  const failures = resizeImages(draft, orNamed(draft, images, above), { side: limit }, why)
  const over = images.filter(image => failures.has(image))
  const spare = images.length - fewImages
  const isFewer = spare > 0 && spare < over.length && images.every(image => (sidesOf(image)?.longer ?? 0) <= sideMax)
  if (isFewer)
    replaceMedia(
      draft,
      images.slice(0, spare),
      `there are more than ${fewImages} images, and some are larger than ${limit} px`,
    )
  else replaceMedia(draft, over, image => `${why}${failures.get(image)}`)
}

/** Up to so many images, the higher limit of a side holds: platform.claude.com/docs/en/build-with-claude/vision, 2026-11. */
const [fewImages, sideMax] = [20, 8000]

/** More pixels than the limit. */
export function replaceLargeImages(draft: RequestDraft): void {
  const { limit = 0, index = 0 } = draft.rejection
  const images = imagesOf(draft)
  const over = images.filter(image => (sidesOf(image)?.area ?? 0) > limit)
  const counted = images.slice(index - 1, index)
  shrinkImages(draft, over.length > 0 ? over : counted, { pixels: limit }, `it has more than ${limit} pixels`)
}

/** Sides that are not longer than the limit, or not as long as it. */
export const replaceSmallImages =
  (wanted: 'longer' | 'as long') =>
  (draft: RequestDraft): void => {
    const { limit: given = 10 } = draft.rejection
    const limit = wanted === 'longer' ? given : given - 1
    const small = imagesOf(draft).filter(image => (sidesOf(image)?.shorter ?? limit + 1) <= limit)
    replaceMedia(draft, small, `a side must be longer than ${limit} px`)
  }

/** More base64 than the limit. */
export function replaceHeavyImages(draft: RequestDraft): void {
  const { limit = 5 * 1024 * 1024 } = draft.rejection
  const images = imagesOf(draft)
  const over = images.filter(({ data }) => data !== undefined && base64Length(data) > limit)
  const why = `it is longer than ${limit} bytes as base64`
  shrinkImages(draft, orNamed(draft, images, over), { bytes: bytesIn(limit) }, why)
}

/** More bytes than the smaller of the sizes that the text gives, in its unit. */
export function replaceImagesAboveSize(draft: RequestDraft): void {
  const limit = draft.rejection.limit ?? smallestSize(draft.rejection.text)
  const images = imagesOf(draft)
  const over = images.filter(({ data }) => data !== undefined && byteLength(data) > limit)
  const largest = images
    .filter(({ data }) => data !== undefined)
    .sort((one, other) => byteLength(other.data ?? '') - byteLength(one.data ?? ''))
    .slice(0, 1)
  const named = orNamed(draft, images, over)
  shrinkImages(
    draft,
    named.length > 0 || draft.rejection.text === '' ? named : largest,
    { bytes: limit },
    `it is larger than ${limit} bytes`,
  )
}

/** The smallest size that a text names, in bytes. */
export const smallestSize = (text: string): number =>
  Math.min(
    ...[...text.matchAll(/(\d{1,12}(?:\.\d{1,6})?) ?(bytes|[KM])/gi)].map(
      ([, number, unit = '']) => Number(number) * ({ b: 1, k: 1000, m: 1_000_000 }[unit.charAt(0).toLowerCase()] ?? 1),
    ),
  )

/** A `data:` URI that is too long for a URI: 65,519 characters, measured in openai/openai-python#3551. */
export function replaceLongUris(draft: RequestDraft): void {
  const { first = '' } = draft.rejection
  const media = findMedia(draft)
  const long = media.filter(({ uri }) => uri !== undefined && uri.length > uriMax)
  replaceMedia(draft, long.length > 0 ? long : media.filter(({ uri }) => uri?.startsWith(first)), 'its URI is too long')
}

const uriMax = 65_519

/** More media of some kinds than the limit: the oldest are replaced. */
export const replaceOldest =
  (...kinds: readonly MediumKind[]) =>
  (draft: RequestDraft): void => {
    const { limit = 0, type } = draft.rejection
    const wanted = type === 'audio' || type === 'video' ? [type] : kinds
    const media = findMedia(draft).filter(({ kind }) => wanted.includes(kind))
    replaceMedia(draft, media.slice(0, Math.max(0, media.length - limit)), `there are more than ${limit} of them`)
  }

/** Images and the pages of documents, counted together: the oldest are replaced. */
export const replaceOldestPages =
  (countsImages: boolean) =>
  (draft: RequestDraft): void => {
    const { limit = 100 } = draft.rejection
    const media = findMedia(draft).filter(medium => mayBePdf(medium) || (countsImages && medium.kind === 'image'))
    const counted = media.map(medium => {
      const { kind, data } = medium
      return { medium, pages: kind === 'image' || data === undefined ? 1 : (readPdf(data)?.pages ?? 1) }
    })
    let total = counted.reduce((sum, { pages }) => sum + pages, 0)
    const gone: FoundMedium[] = []
    // A document that exceeds the limit by itself is removed first: removing others would not help.
    const order = [...counted.filter(({ pages }) => pages > limit), ...counted.filter(({ pages }) => pages <= limit)]
    for (const { medium, pages } of order) {
      if (total <= limit) break
      gone.push(medium)
      total -= pages
    }
    // Pages inside compressed objects are not counted: then only the text of the error shows that there are too many.
    const unseen = gone.length === 0 ? orNamed(draft, media, []) : gone
    const oldest = media.filter(({ kind }) => kind === 'document').slice(0, 1)
    replaceMedia(draft, unseen.length > 0 ? unseen : oldest, `there are more than ${limit} pages`)
  }

/** Images whose header shows that they cannot be read. If there are none, all images before the last turn, or else those of the last turn. */
export function replaceUnreadableImages(draft: RequestDraft): void {
  const { type, text } = draft.rejection
  const images = imagesOf(draft)
  if (images.some(({ url = '' }) => url.length > 8 && text.includes(url))) {
    replaceUrls(draft)
    return
  }
  const broken = unreadableImages(images)
  const foreign = images.filter(({ type: declared, data }) => {
    const facts = data === undefined ? undefined : readImage(data)
    return (declared !== undefined && !common.has(declared)) || (facts !== undefined && !common.has(facts.type))
  })
  const named = namedMedia(draft, images)
  const suspects = [...new Set([...broken, ...foreign, ...named])]
  if (suspects.length > 0) {
    replaceMedia(draft, suspects, 'the provider cannot read it')
    return
  }
  const mislabelled = images.filter(isMislabelled)
  if (mislabelled.length > 0 && type === undefined) {
    correctTypes(draft, mislabelled)
    return
  }
  const open = lastTurnOf(draft)
  const older = images.filter(({ message }) => message < open)
  replaceMedia(draft, older.length > 0 ? older : images, 'the provider cannot read one of them, and does not say which')
}

/** The types of images that all providers accept. */
const common = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp'])

/** Base64 that cannot be decoded: most often it is a whole `data:` URI. */
export function repairBase64(draft: RequestDraft): void {
  const media = findMedia(draft)
  let isStripped = false
  for (const { part, data, at } of media) {
    const holder = asFields(part.inlineData ?? part.inline_data ?? part.source)
    const match = typeof data === 'string' ? /^data:([^;,]{0,100})[^,]{0,100},/.exec(data) : null
    if (!holder || !match || typeof data !== 'string') continue
    isStripped = draft.change('lossless', at, 'the data: prefix is removed from base64 data', () => {
      holder.data = data.slice(match[0].length)
    })
  }
  if (isStripped) return
  replaceMedia(draft, orNamed(draft, media, unreadableImages(media)), 'its base64 cannot be decoded')
}

const isMislabelled = ({ type, data }: FoundMedium): boolean => {
  const facts = data === undefined ? undefined : readImage(data)
  return facts !== undefined && facts.type !== (type === 'image/jpg' ? 'image/jpeg' : type)
}

function correctTypes(draft: RequestDraft, images: readonly FoundMedium[]): void {
  for (const { part, data, at, type } of images) {
    const facts = data === undefined ? undefined : readImage(data)
    if (facts && common.has(facts.type))
      draft.change('lossless', at, `the declared type ${type} is corrected to ${facts.type}`, () =>
        setType(part, facts.type),
      )
  }
}

/** The declared type is wrong, or one that the provider does not accept. */
export function repairImageTypes(draft: RequestDraft): void {
  const images = imagesOf(draft)
  correctTypes(draft, images.filter(isMislabelled))
  const rest = imagesOf(draft)
  for (const { part, type, data, at } of rest) {
    if (draft.format !== 'anthropic' || type === undefined || common.has(type)) continue
    if (data === undefined || !readPdf(data)) continue
    draft.change('lossless', at, 'a PDF that was declared as an image becomes a document', () => {
      part.type = 'document'
      part.source = { ...asFields(part.source), media_type: 'application/pdf' }
    })
  }
  const foreign = imagesOf(draft).filter(
    ({ type, data }) => data !== undefined && type !== undefined && !common.has(type),
  )
  replaceMedia(draft, foreign, 'the provider does not accept its type')
  if (draft.changed) return
  replaceMedia(draft, orNamed(draft, rest, unreadableImages(rest)), 'its type does not fit')
}

/** The text does not name the reason: only an image of a type that Gemini does not accept explains it. */
export function replaceTypesGeminiRejects(draft: RequestDraft): void {
  const images = imagesOf(draft).filter(({ type }) => type !== undefined && !geminiTypes.has(type))
  replaceMedia(draft, images, 'the provider does not accept its type')
}

const geminiTypes = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/webp', 'image/heic', 'image/heif'])

/** Media of a type that the text names. */
export function replaceNamedType(draft: RequestDraft): void {
  const media = findMedia(draft).filter(({ type }) => type === draft.rejection.type)
  replaceMedia(draft, media, 'the provider does not accept its type')
}

/** Media that the provider cannot load: those whose address the text has, else all that have one. */
export function replaceUrls(draft: RequestDraft): void {
  const media = findMedia(draft).filter(({ url }) => url !== undefined)
  const { text } = draft.rejection
  const named = media.filter(({ url = '' }) => text.includes(url.replaceAll(/["'`\\]/g, '')))
  const longest = named.reduce((length, { url = '' }) => Math.max(length, url.length), 0)
  const exact = named.filter(({ url = '' }) => url.length === longest)
  if (exact.length > 0) {
    replaceMedia(draft, exact, 'the provider cannot load it')
    return
  }
  if (namesUrl(text)) {
    const cut = media.filter(({ url = '' }) => text.includes(url.slice(0, 60)))
    replaceMedia(draft, cut, 'the provider cannot load it')
    return
  }
  // The text does not say which: those of the last turn are new, and the others were loaded before.
  const turn = lastTurnOf(draft)
  const added = rejectsAllUrls(text) ? [] : media.filter(({ message }) => message >= turn)
  replaceMedia(draft, added.length > 0 ? added : media, 'the provider cannot load it')
}

/** Files by reference, whose sizes are unknown: those of earlier turns, or all. */
export function replaceReferenced(draft: RequestDraft): void {
  const open = lastTurnOf(draft)
  const referenced = findMedia(draft).filter(({ url, file }) => (url ?? file) !== undefined)
  const older = referenced.filter(({ message }) => message < open)
  replaceMedia(draft, older.length > 0 ? older : referenced, 'the files are too large together')
}

/** A stored file that the provider no longer has: the one with the named id, or else all its files. */
export function replaceFile(draft: RequestDraft): void {
  const { text } = draft.rejection
  const item = draft.rejection.item ?? /\bfile[-_]\w{1,100}/.exec(text)?.[0] ?? ''
  const id = item.split('/').at(-1) ?? ''
  const media = findMedia(draft)
  const named = media.filter(
    ({ url = '', file = '' }) => id !== '' && (url.split('/').includes(id) || file === item || file === id),
  )
  const stored = media.filter(({ url = '' }) => /\/files\//.test(url))
  // Files of Gemini are known by a URL, which its text may have without the host.
  replaceMedia(draft, named.length > 0 || /^file[-_]/.test(id) ? named : stored, 'the provider no longer has the file')
}

/** Media of a kind that the model does not accept, named by the type of a part. */
export function replaceKind(draft: RequestDraft): void {
  const { type = 'image' } = draft.rejection
  const kind = kinds.find(([words]) => words.test(type))?.[1] ?? 'image'
  replaceMedia(
    draft,
    findMedia(draft).filter(medium => medium.kind === kind),
    `the model takes no ${kind}`,
  )
}

const kinds: readonly (readonly [RegExp, MediumKind])[] = [
  [/audio/, 'audio'],
  [/video/, 'video'],
  [/file|document|pdf/, 'document'],
]

export const replaceAll = (draft: RequestDraft): void =>
  replaceMedia(draft, findMedia(draft), 'the model takes text only')

/** Not if the request contains its text: then it is not a PDF. */
const mayBePdf = ({ kind, text }: FoundMedium): boolean => kind === 'document' && text === undefined

/** Documents that are not a PDF, or need a password. */
export const replacePdfs =
  (reason: 'invalid' | 'password' | 'any') =>
  (draft: RequestDraft): void => {
    const documents = findMedia(draft).filter(mayBePdf)
    const named = namedMedia(draft, documents)
    const inline = documents.filter(
      ({ data, type }) => data !== undefined && (type === undefined || type === 'application/pdf'),
    )
    const facts = new Map(inline.map(medium => [medium, readPdf(medium.data as string | Uint8Array)]))
    const invalid = reason === 'password' ? [] : inline.filter(medium => !facts.get(medium))
    const locked = reason === 'invalid' ? [] : inline.filter(medium => facts.get(medium)?.isEncrypted)
    const found = [...new Set([...named, ...invalid, ...locked])]
    const open = lastTurnOf(draft)
    const older = documents.filter(({ message }) => message < open)
    const guess = older.length > 0 ? older : documents
    replaceMedia(draft, found.length > 0 ? found : guess, 'the provider cannot read it')
  }

/** Names of documents with characters that the provider does not accept in one. */
export function plainDocumentNames(draft: RequestDraft): void {
  for (const { part, name, at } of findMedia(draft)) {
    const document = asFields(part.document)
    const plain =
      name
        ?.replaceAll(/[^\w\s()[\]-]|_/g, '-')
        .replaceAll(/\s{1,200}/g, ' ')
        .trim() || 'document'
    if (!document || name === undefined || name === plain) continue
    draft.change('lossless', at, `the document named ${name} becomes ${plain}`, () => {
      document.name = plain
    })
  }
  renameDocuments(draft, findMedia(draft))
}
