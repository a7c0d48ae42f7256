import { replaceMedia, sidesOf } from '../../request/media-parts.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const oversizedImage = defineLimit({
  id: 'oversized-image',
  ofMessages: true,
  appliesTo: facts => facts.imageSide !== undefined || facts.imageSideMin !== undefined,
  repair(draft, { imageSide = Number.POSITIVE_INFINITY, imageSideMin = 0 }) {
    const { media } = draft.survey
    const large = media.filter(medium => (sidesOf(medium)?.longer ?? 0) > imageSide)
    replaceMedia(draft, large, `a side is longer than ${imageSide} px`)
    const small = media.filter(medium => (sidesOf(medium)?.shorter ?? Number.POSITIVE_INFINITY) <= imageSideMin)
    replaceMedia(draft, small, `a side is not longer than ${imageSideMin} px`)
  },
})

export const page: Page = {
  summary: 'An image has more pixels on a side than the provider accepts, or too few.',
  why: 'A screenshot of a whole page is stored in the history, and every later request with it is rejected.',
  fix: 'It becomes a short text that says what was there. The size is read from the header; nothing is decoded.',
}
