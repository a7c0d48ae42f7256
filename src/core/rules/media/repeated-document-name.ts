import type { BodyDraft } from '../../request/body-draft.ts'
import { asFields } from '../../request/body-draft.ts'
import type { FoundMedium } from '../../request/media-parts.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const repeatedDocumentName = defineLimit({
  id: 'repeated-document-name',
  appliesTo: facts => facts.repeatedDocumentNames !== undefined,
  repair: draft => renameDocuments(draft, draft.survey.media),
})

/** Names of documents that come twice: the later ones get a number. */
export function renameDocuments(draft: BodyDraft, media: readonly FoundMedium[]): void {
  const taken = new Set(media.flatMap(({ name }) => name ?? []))
  /** The last number that each name got. */
  const seen = new Map<string, number>()
  for (const { part, name, at } of media) {
    const document = asFields(part.document)
    if (!document || name === undefined) continue
    let number = seen.get(name)
    if (number === undefined) {
      seen.set(name, 1)
      continue
    }
    do number++
    while (taken.has(`${name}-${number}`))
    seen.set(name, number)
    const fresh = `${name}-${number}`
    taken.add(fresh)
    seen.set(fresh, 1)
    draft.change('lossless', at, `the second document named ${name} becomes ${fresh}`, () => {
      document.name = fresh
    })
  }
}

export const page: Page = {
  summary: 'Two documents have the same name.',
  why: 'The user attaches a file again, or a name is made from the time. The provider wants each name once in a request.',
  fix: 'The later ones get a number.',
}
