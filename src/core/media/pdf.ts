import { byteLength, bytesAt, latin1, type MediaData } from './media-bytes.ts'

/** Facts from the text of a PDF. Nothing is decoded: pages inside compressed objects are not counted. */
export interface PdfFacts {
  readonly pages: number
  /** It needs a password. */
  readonly isEncrypted: boolean
}

/** Reads the facts of a PDF; undefined if it is not a PDF. */
export function readPdf(data: MediaData): PdfFacts | undefined {
  if (!latin1(bytesAt(data, 0, 1024)).includes('%PDF-')) return undefined
  const length = byteLength(data)
  let [pages, counted, checks, isEncrypted] = [0, 0, 0, false]
  // Each part begins before the end of the one before it, so that no mark is cut in two.
  for (let from = 0; from < length; from += partSize - overlap) {
    const text = latin1(bytesAt(data, from, partSize))
    const own = from + partSize >= length ? text : text.slice(0, partSize - overlap)
    for (const match of text.matchAll(pageMark)) if (match.index < own.length) pages++
    for (const match of text.matchAll(countMark))
      if (Number(match[1]) > counted && checks++ < checksMax && isOfPageTree(text, match.index))
        counted = Number(match[1])
    if (text.includes('/Encrypt')) isEncrypted = true
  }
  return { pages: Math.max(pages, counted), isEncrypted }
}

/** Whether a `/Count` is of pages: bookmarks are counted in the same way. */
function isOfPageTree(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - objectMax), at)
  const after = text.slice(at, at + objectMax)
  const own =
    before.slice(before.lastIndexOf(' obj') + 1) + after.slice(0, (after.indexOf('endobj') + 1 || objectMax) - 1)
  return /\/Kids\b|\/Type\s{0,4}\/Pages\b/.test(own) && !/\/(Outlines|Title)\b/.test(own)
}

/** Longer objects of a page tree are rare, and so are more counts than this, each higher than those before. */
const [objectMax, checksMax] = [16 * 1024, 500]

const pageMark = /\/Type\s{0,4}\/Page(?![a-z])/gi
const countMark = /\/Count\s{1,4}(\d{1,6})/g
const [partSize, overlap] = [1024 * 1024, 64]
