import { headerOf, replaceMedia } from '../../request/media-parts.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const unsupportedImage = defineLimit({
  id: 'unsupported-image',
  ofMessages: true,
  appliesTo: facts => facts.imageTypes !== undefined,
  repair(draft, { imageTypes = [] }) {
    const unread = draft.survey.media.filter(medium => {
      const shown = headerOf(medium)?.type
      return shown !== undefined && !imageTypes.includes(shown)
    })
    replaceMedia(draft, unread, medium => `the provider does not read ${headerOf(medium)?.type}`)
  },
})

export const page: Page = {
  summary: 'An image is of a type that the provider does not read, such as BMP, TIFF or SVG.',
  why: 'The provider rejects the request, and every later one with the same history.',
  fix: 'It becomes a short text that says what was there; for a small SVG, the text is its source.',
}
