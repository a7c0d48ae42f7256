import { asFields, asList, type BodyDraft } from '../../request/body-draft.ts'
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
    const parts = asList(fields?.content)
    const texts = parts.map(part => asFields(part)?.text)
    const documents = parts.map(part => asFields(part)?.document).filter(document => document !== undefined)
    if (documents.length === 0 || texts.some(text => typeof text === 'string' && text.trim() !== '')) return
    const names = documents.map(document => asFields(document)?.name).join(', ')
    draft.change('synthetic', `${draft.root}[${index}].content`, 'a text is added next to the documents', () => {
      if (fields)
        fields.content = [{ text: `Attached: ${names}` }, ...parts.filter((_, at) => typeof texts[at] !== 'string')]
    })
  })
}

export const page: Page = {
  summary: 'A message has a document and no text.',
  why: 'The user attaches a file and says nothing. The provider wants a text next to it, and rejects this and every later request.',
  fix: 'A text with the names of the documents is added.',
}
