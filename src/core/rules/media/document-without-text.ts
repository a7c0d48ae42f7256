import { asFields, type BodyDraft, type MutableFields } from '../../request/body-draft.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const documentWithoutText = defineLimit({
  id: 'document-without-text',
  appliesTo: facts => facts.documentsAlone !== undefined,
  repair(draft) {
    if (draft.survey.media.some(({ kind, inResult }) => kind === 'document' && !inResult)) addDocumentText(draft)
  },
})

/** Messages with a document and no words get some. */
export function addDocumentText(draft: BodyDraft): void {
  draft.history.forEach((message, index) => {
    const fields = asFields(message)
    const parts = Array.isArray(fields?.content) ? (fields.content as MutableFields[]) : []
    const documents = parts.filter(part => asFields(part)?.document !== undefined)
    if (documents.length === 0 || parts.some(part => typeof part.text === 'string' && part.text.trim() !== '')) return
    const names = documents.map(({ document }) => asFields(document)?.name).join(', ')
    draft.change('synthetic', `${draft.root}[${index}].content`, 'a text is added next to the documents', () => {
      if (fields)
        fields.content = [{ text: `Attached: ${names}` }, ...parts.filter(part => typeof part.text !== 'string')]
    })
  })
}

export const page: Page = {
  summary: 'A message has a document and no text.',
  why: 'The user attaches a file and says nothing. The provider wants a text next to it, and rejects this and every later request.',
  fix: 'A text with the names of the documents is added.',
}
