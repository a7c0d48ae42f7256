import { certainDefect } from '../../media/image.ts'
import { type Medium, replaceMedia } from '../../request/media-parts.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const unreadableImage = defineLimit({
  id: 'unreadable-image',
  ofMessages: true,
  appliesTo: facts => facts.unreadableImages !== undefined,
  repair(draft) {
    const reasons = new Map<Medium, string>()
    for (const medium of draft.survey.media) {
      const why = medium.kind === 'image' && medium.data !== undefined ? certainDefect(medium.data) : undefined
      if (why !== undefined) reasons.set(medium, why)
    }
    const broken = draft.survey.media.filter(medium => reasons.has(medium))
    replaceMedia(draft, broken, medium => `${reasons.get(medium)}`)
  },
})

export const page: Page = {
  summary: 'The data of an image is empty, cut off, or a text such as an error page.',
  why: 'A download or a screenshot failed, and the broken data was stored as an image. Every later request is rejected, and the error often does not name the image.',
  fix: 'It becomes a short text that says what was there. Data whose first bytes show no known type is left alone.',
}
