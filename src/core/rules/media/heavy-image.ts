import { base64Length } from '../../media/media-bytes.ts'
import { replaceMedia } from '../../request/media-parts.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const heavyImage = defineLimit({
  id: 'heavy-image',
  ofMessages: true,
  appliesTo: facts => facts.imageBase64 !== undefined,
  repair(draft, { imageBase64 = Number.POSITIVE_INFINITY }) {
    const heavy = draft.survey.media.filter(
      ({ kind, data }) => kind === 'image' && data !== undefined && base64Length(data) > imageBase64,
    )
    replaceMedia(draft, heavy, `it is longer than ${imageBase64} bytes as base64`)
  },
})

export const page: Page = {
  summary: 'An image is longer than the provider accepts.',
  why: 'The provider measures the base64 text, which is a third longer than the file. Every later request with the image is rejected.',
  fix: 'It becomes a short text that says what was there.',
}
