import { replaceMedia, sidesOf } from '../../request/media-parts.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const oversizedAmongMany = defineLimit({
  id: 'oversized-among-many',
  ofMessages: true,
  appliesTo: facts => facts.imageSideOfMany !== undefined,
  repair(draft, { imageSideOfMany }) {
    const images = draft.survey.media.filter(({ kind }) => kind === 'image')
    if (!imageSideOfMany || images.length <= imageSideOfMany.images) return
    const { images: few, side } = imageSideOfMany
    const large = images.filter(image => (sidesOf(image)?.longer ?? 0) > side)
    const spare = images.slice(0, images.length - few)
    const why = `a side is longer than ${side} px in a request with more than ${few} images`
    if (large.length <= spare.length) replaceMedia(draft, large, why)
    else replaceMedia(draft, spare, `there are more than ${few} images, and some are larger than ${side} px`)
  },
})

export const page: Page = {
  summary: 'The request has many images, and one is larger than the lower limit that then holds.',
  why: 'An image that was accepted for hours is rejected once there are enough others, and every request after it.',
  fix: 'The images above the lower limit become short texts, or the oldest until the higher limit holds, whichever are fewer.',
}
