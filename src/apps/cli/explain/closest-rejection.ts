import type { RejectionEntry } from '../../../heal/rejections/rejection.ts'
import { rejectionTable } from '../../../heal/rejections/table/index.ts'

/** For a text that matches no known error exactly (it is cut off, or its punctuation is lost): the known error that contains most of its words. */
export function closestRejection(text: string): RejectionEntry | undefined {
  const words = wordsOf(text)
  if (words.size < wordsMin) return undefined
  let best: { entry: RejectionEntry; share: number } | undefined
  for (const entry of rejectionTable) {
    const known = wordsOf(entry.words.source.replaceAll(/\\[a-zA-Z]|\(\?<\w+>/g, ' '))
    const shared = [...words].filter(word => known.has(word)).length
    const share = shared / words.size
    if (shared >= wordsMin && share > (best?.share ?? shareMin)) best = { entry, share }
  }
  return best?.entry
}

/** A text with fewer words than this would match many errors. */
const wordsMin = 4
const shareMin = 0.7

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .slice(0, 2000)
      .toLowerCase()
      .match(/[a-z_]{2,}/g),
  )
