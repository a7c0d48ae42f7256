import { asFields, asList, type BodyDraft, type MutableFields } from '../../request/body-draft.ts'
import { cachePoints, removeCachePoints } from '../../request/cache-points.ts'
import type { FoundPart } from '../../request/survey.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const tooManyCacheMarks = defineLimit({
  id: 'too-many-cache-marks',
  appliesTo: facts => (facts.cacheMarks ?? facts.cachePoints) !== undefined,
  repair(draft, { cacheMarks, cachePoints: points }) {
    if (cacheMarks !== undefined) dropCacheMarks(draft, cacheMarks, draft.survey.marks)
    if (points !== undefined) dropCachePoints(draft, points)
  },
})

/** Cache marks beyond the limit: those in messages go first, the oldest first, then those of tools and of the system prompt. */
export function dropCacheMarks(draft: BodyDraft, limit: number, marks: readonly FoundPart[]): void {
  const { tools, system } = draft.body
  const blocks = [...asList(tools).flatMap(tool => [tool, asFields(tool)?.function]), ...asList(system)]
  const rest = blocks.map(asFields).filter((block): block is MutableFields => Boolean(block?.cache_control))
  const all = [...marks.map(({ part, at }) => ({ part, at })), ...rest.map(part => ({ part, at: 'system' }))]
  for (const { part, at } of all.slice(0, Math.max(0, all.length - limit)))
    draft.change('lossless', at, `a cache mark beyond ${limit} is removed`, () => delete part.cache_control)
}

/** Cache points beyond the limit: those in messages go first, the oldest first, then those of the system prompt and of tools. */
export function dropCachePoints(draft: BodyDraft, limit: number): void {
  const points = cachePoints(draft)
  const spare = points.slice(0, Math.max(0, points.length - limit))
  removeCachePoints(draft, spare, `a cache point beyond ${limit} is removed`)
}

export const page: Page = {
  summary: 'There are more cache marks than the provider accepts.',
  why: 'A program marks the end of every turn and leaves the old marks in the history. With one too many, every request is rejected.',
  fix: 'The oldest marks in the history are removed first. No word changes, and what was cached up to the newer marks stays cached.',
}
