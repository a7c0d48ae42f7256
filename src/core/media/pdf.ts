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
  let [pages, counted, isEncrypted] = [0, 0, false]
  // Each part begins before the end of the one before it, so that no mark is cut in two.
  for (let from = 0; from < length; from += partSize - overlap) {
    const text = latin1(bytesAt(data, from, partSize))
    const own = from + partSize >= length ? text : text.slice(0, partSize - overlap)
    for (const match of text.matchAll(pageMark)) if (match.index < own.length) pages++
    let object = { end: 0, isPageTree: false }
    for (const match of text.matchAll(countMark)) {
      if (match.index >= object.end) object = objectAround(text, match.index, object.end)
      if (object.isPageTree) counted = Math.max(counted, Number(match[1]))
    }
    if (text.includes('/Encrypt')) isEncrypted = true
  }
  return { pages: Math.max(pages, counted), isEncrypted }
}

/**
 * The object around a `/Count`, and whether that counts pages: bookmarks are counted in the same way. The object before it ends at `from`, so
 * that nothing is read twice.
 */
function objectAround(text: string, at: number, from: number): { readonly end: number; readonly isPageTree: boolean } {
  const before = text.slice(Math.max(from, at - objectMax), at)
  const after = text.slice(at, at + objectMax)
  const rest = after.slice(0, (after.indexOf('endobj') + 1 || objectMax + 1) - 1)
  const own = before.slice(before.lastIndexOf(' obj') + 1) + rest
  const isPageTree = /\/Kids\b|\/Type\s{0,4}\/Pages\b/.test(own) && !/\/(Outlines|Title)\b/.test(own)
  return { end: at + rest.length, isPageTree }
}

/** Longer objects of a page tree are rare. */
const objectMax = 16 * 1024

const pageMark = /\/Type\s{0,4}\/Page(?![a-z])/gi
const countMark = /\/Count\s{1,4}(\d{1,6})/g
const [partSize, overlap] = [1024 * 1024, 64]
