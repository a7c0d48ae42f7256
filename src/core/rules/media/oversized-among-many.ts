import { type FoundMedium, replaceMedia, sidesOf } from '../../request/media-parts.ts'
import { imageLimitOf, resizeImages } from '../../request/resize-images.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const oversizedAmongMany = defineLimit({
  id: 'oversized-among-many',
  ofMessages: true,
  appliesTo: facts => facts.imageSideOfMany !== undefined,
  repair(draft, facts) {
    const { imageSideOfMany } = facts
    const images = draft.survey.media.filter(({ kind }) => kind === 'image')
    if (!imageSideOfMany || images.length <= imageSideOfMany.images) return
    const { images: few, side } = imageSideOfMany
    const above = images.filter(image => (sidesOf(image)?.longer ?? 0) > side)
    const why = `a side is longer than ${side} px in a request with more than ${few} images`
    const failures = resizeImages(draft, above, imageLimitOf(facts, images.length), why)
    const large = above.filter(image => failures.has(image))
    const spare = images.slice(0, images.length - few)
    if (large.length <= spare.length) replaceMedia(draft, large, (image: FoundMedium) => `${why}${failures.get(image)}`)
    else replaceMedia(draft, spare, `there are more than ${few} images, and some are larger than ${side} px`)
  },
})

export const page: Page = {
  summary: 'The request has many images, and one is larger than the lower limit that then applies.',
  why: 'An image that was accepted for hours is rejected once the request has enough other images, and so is every later request.',
  fix: 'The images above the lower limit become short texts, or the oldest images until the higher limit applies, whichever are fewer. With a `resize` of the caller, the images above the lower limit are made smaller instead.',
}
