import type { RejectionEntry } from '../../../heal/rejections/rejection.ts'
import { rejectionTable } from '../../../heal/rejections/table/index.ts'

/** The known error that contains most words of a text that is not one: a part of it, or its words without the marks between them. */
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

/** Fewer words are in many errors. */
const wordsMin = 4
const shareMin = 0.7

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .slice(0, 2000)
      .toLowerCase()
      .match(/[a-z_]{2,}/g),
  )
