import { replaceMedia, sidesOf } from '../../request/media-parts.ts'
import { imageLimitOf, shrinkImages } from '../../request/resize-images.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const oversizedImage = defineLimit({
  id: 'oversized-image',
  ofMessages: true,
  appliesTo: facts => facts.imageSide !== undefined || facts.imageSideMin !== undefined,
  repair(draft, facts) {
    const { imageSide = Number.POSITIVE_INFINITY, imageSideMin = 0 } = facts
    const images = draft.survey.media.filter(({ kind }) => kind === 'image')
    const large = images.filter(image => (sidesOf(image)?.longer ?? 0) > imageSide)
    shrinkImages(draft, large, imageLimitOf(facts, images.length), `a side is longer than ${imageSide} px`)
    const small = draft.survey.media.filter(
      medium => (sidesOf(medium)?.shorter ?? Number.POSITIVE_INFINITY) <= imageSideMin,
    )
    replaceMedia(draft, small, `a side is not longer than ${imageSideMin} px`)
  },
})

export const page: Page = {
  summary: 'An image has more pixels on a side than the provider accepts, or too few.',
  why: 'A screenshot of a whole page is stored in the history, and every later request with it is rejected.',
  fix: 'It becomes a short text that says what was there, or a smaller image if the caller has a function that makes one (`resize`). The size is read from the header; nothing is decoded.',
}
