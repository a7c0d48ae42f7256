import { type FoundMedium, type MediumKind, replaceMedia } from '../../request/media-parts.ts'
import { defineLimit, type LimitDraft } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const tooManyMedia = defineLimit({
  id: 'too-many-media',
  ofMessages: true,
  appliesTo: ({ imagesMax, documentsMax, mediaMax }) => (imagesMax ?? documentsMax ?? mediaMax) !== undefined,
  repair(draft, { imagesMax, documentsMax, mediaMax }) {
    replaceOldest(draft, imagesMax, ['image'], 'images')
    replaceOldest(draft, documentsMax, ['document'], 'documents')
    replaceOldest(draft, mediaMax, ['image', 'document'], 'images and documents')
  },
})

function replaceOldest(
  draft: LimitDraft,
  limit: number | undefined,
  kinds: readonly MediumKind[],
  words: string,
): void {
  if (limit === undefined) return
  const media: readonly FoundMedium[] = draft.survey.media.filter(({ kind }) => kinds.includes(kind))
  if (media.length > limit)
    replaceMedia(draft, media.slice(0, media.length - limit), `there are more than ${limit} ${words}`)
}

export const page: Page = {
  summary: 'The request has more images or documents than the provider accepts.',
  why: 'Screenshots add up over a long history. Once there is one too many, every request is rejected.',
  fix: 'The oldest become short texts that say what was there.',
}
