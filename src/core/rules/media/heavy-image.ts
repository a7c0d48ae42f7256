import { base64Length } from '../../media/media-bytes.ts'
import { imageLimitOf, shrinkImages } from '../../request/resize-images.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const heavyImage = defineLimit({
  id: 'heavy-image',
  ofMessages: true,
  appliesTo: facts => facts.imageBase64 !== undefined,
  repair(draft, facts) {
    const { imageBase64 = Number.POSITIVE_INFINITY } = facts
    const images = draft.survey.media.filter(({ kind }) => kind === 'image')
    const heavy = images.filter(({ data }) => data !== undefined && base64Length(data) > imageBase64)
    shrinkImages(draft, heavy, imageLimitOf(facts, images.length), `it is longer than ${imageBase64} bytes as base64`)
  },
})

export const page: Page = {
  summary: 'An image is longer than the provider accepts.',
  why: 'The provider measures the base64 text, which is a third longer than the file. Every later request with the image is rejected.',
  fix: 'It becomes a short text that says what was there, or a smaller image if the caller has a function that makes one (`resize`).',
}
