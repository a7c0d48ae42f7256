import type { Dialect } from '../dialect.ts'
import { gemini } from './gemini.ts'

/** The same models through Vertex AI, which tolerates less and has some error messages of its own. */
export const vertex: Dialect = {
  ...gemini,
  id: 'vertex',
  title: 'Google Vertex AI generateContent',
  facts: { ...gemini.facts, roleNames: 'own' },
  refusals: {
    ...gemini.refusals,
    'empty-message':
      'Unable to submit request because it must include at least one parts field, which describes the prompt input. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini',
    'blank-text':
      'Unable to submit request because it has an empty text parameter. Add a value to the parameter and try again. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini',
    'unsigned-call':
      'Unable to submit request because function call `default_api:{name}` in the {n+1}. content block is missing a `thought_signature`. Learn more: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures',
  },
}
