import type { Provider } from '../../provider.ts'
import { strict } from '../../strictness.ts'
import { validateInteractions } from '../gemini-interactions/judge.ts'
import { interactionsShape } from '../gemini-interactions/shape.ts'
import { lenient } from '../lenient/provider.ts'
import { validateGemini, validateVertex } from './judge.ts'
import { geminiCompatibleShape, geminiShape } from './shape.ts'

export const gemini = countsAll(
  strict(lenient('gemini', ['gemini', 'openai-chat', 'gemini-interactions']), {
    gemini: { validate: validateGemini, shape: geminiShape },
    'openai-chat': { validate: validateGemini, shape: geminiCompatibleShape },
    'gemini-interactions': { validate: validateInteractions, shape: interactionsShape },
  }),
)

/** Its calls have no ids. */
export const vertex = countsAll(
  strict(lenient('vertex', 'gemini', { callId: () => '' }), {
    gemini: { validate: validateVertex, shape: geminiShape },
  }),
)

/** A rejection while only counting tokens was never seen. */
function countsAll(provider: Provider): Provider {
  return {
    ...provider,
    reject: (request, state) => (counting.test(request.path) ? undefined : provider.reject(request, state)),
  }
}

const counting = /(:|%3A)countTokens$/i
