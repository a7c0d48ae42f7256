import { bytesAt, latin1 } from '../../media/media-bytes.ts'
import { asFields } from '../../request/body-draft.ts'
import { headerOf, setType } from '../../request/media-parts.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const mislabelledImage = defineLimit({
  id: 'mislabelled-image',
  ofMessages: true,
  appliesTo: facts => facts.mislabelledImages !== undefined,
  repair(draft, { imageTypes = [] }) {
    for (const medium of draft.survey.media) {
      const { kind, type, data, part, at } = medium
      const source = asFields(part.source)
      const shown = headerOf(medium)?.type
      // A library that was told only that it is an image looks at the bytes itself.
      if (type === 'image' || type === 'image/*') continue
      if (shown !== undefined && shown !== type && imageTypes.includes(shown))
        draft.change('lossless', at, `the image is declared as ${type} and is ${shown}`, () => setType(part, shown))
      else if (kind === 'image' && data !== undefined && source && latin1(bytesAt(data, 0, 5)) === '%PDF-')
        draft.change('lossless', at, `a PDF is declared as an image of the type ${type}`, () => {
          part.type = 'document'
          part.source = { ...source, media_type: 'application/pdf' }
        })
    }
  },
})

export const page: Page = {
  summary: 'The declared type of an image is not the one that its first bytes show.',
  why: 'A file has the wrong name, or a tool declares every image as PNG. The provider compares the two and rejects the request.',
  fix: 'The declared type becomes the true one. A PDF that was declared as an image becomes a document.',
}
