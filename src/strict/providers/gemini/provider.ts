import type { Provider } from '../../provider.ts'
import { strict } from '../../strictness.ts'
import { lenient } from '../lenient/provider.ts'
import { gemini as studio, vertex as vertexAi } from './judge.ts'
import { geminiCompatibleShape, geminiShape } from './shape.ts'

export const gemini = countsAll(
  strict(lenient('gemini', ['gemini', 'openai-chat']), {
    gemini: { validate: studio, shape: geminiShape },
    'openai-chat': { validate: studio, shape: geminiCompatibleShape },
  }),
)

/** Its calls have no ids. */
export const vertex = countsAll(
  strict(lenient('vertex', 'gemini', { callId: () => '' }), { gemini: { validate: vertexAi, shape: geminiShape } }),
)

/** That anything is refused where tokens are only counted has never been seen. */
function countsAll(provider: Provider): Provider {
  return {
    ...provider,
    refuse: (request, state) => (counting.test(request.path) ? undefined : provider.refuse(request, state)),
  }
}

const counting = /(:|%3A)countTokens$/i
