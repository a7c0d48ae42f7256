import { replaceMedia } from '../../request/media-parts.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const unsupportedMedia = defineLimit({
  id: 'unsupported-media',
  ofMessages: true,
  appliesTo: facts => facts.media !== undefined,
  repair: draft => replaceMedia(draft, draft.survey.media, 'the model reads text only'),
})

export const page: Page = {
  summary: 'The history has images or other media, and the model reads text only.',
  why: 'The history began with another model, or a tool returned a picture. Every request with it is rejected.',
  fix: 'Each becomes a short text that says what was there.',
}
