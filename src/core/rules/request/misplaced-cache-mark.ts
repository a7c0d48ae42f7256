import type { MutableFields } from '../../request/body-draft.ts'
import { cachePoints, removeCachePoints } from '../../request/cache-points.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const misplacedCacheMark = defineLimit({
  id: 'misplaced-cache-mark',
  appliesTo: facts => (facts.cacheMarks ?? facts.cachePoints) !== undefined,
  repair(draft, { cacheMarks, cachePoints: limit }) {
    if (limit !== undefined) {
      const points = cachePoints(draft).filter(({ before }) => before?.reasoningContent !== undefined)
      removeCachePoints(draft, points, 'a cache point follows reasoning, and is removed')
    }
    if (cacheMarks === undefined) return
    for (const { part, before, at } of draft.survey.marks) {
      if (mayBeMarked(part)) continue
      const what = isThinking(part) ? 'thinking' : 'a text without words'
      draft.change('lossless', at, `${what} has a cache mark, which is removed`, () => {
        // What is cached up to an empty block is what is cached up to the block before it.
        if (!isThinking(part) && before && !before.cache_control && mayBeMarked(before))
          before.cache_control = part.cache_control
        delete part.cache_control
      })
    }
  },
})

const isThinking = ({ type }: MutableFields): boolean => type === 'thinking' || type === 'redacted_thinking'

const mayBeMarked = (part: MutableFields): boolean =>
  !isThinking(part) && !(typeof part.text === 'string' && part.text.trim() === '')

export const page: Page = {
  summary: 'A cache mark is on thinking or on a text without words, or a cache point follows reasoning.',
  why: 'A program marks the last block, whatever it is, and the provider rejects the mark.',
  fix: 'The mark is removed; the mark of an empty text moves to the block before it. No word changes.',
}
