import type { Provider } from '../../provider.ts'
import { strict } from '../../strictness.ts'
import { validateInteractions } from '../gemini-interactions/judge.ts'
import { interactionsRejection } from '../gemini-interactions/rejection.ts'
import { lenient } from '../lenient/provider.ts'
import { validateGemini, validateVertex } from './judge.ts'
import { geminiCompatibleRejection, geminiRejection } from './rejection.ts'

export const gemini = countsAll(
  strict(lenient('gemini', ['gemini', 'openai-chat', 'gemini-interactions']), {
    gemini: { validate: validateGemini, rejection: geminiRejection },
    'openai-chat': { validate: validateGemini, rejection: geminiCompatibleRejection },
    'gemini-interactions': { validate: validateInteractions, rejection: interactionsRejection },
  }),
)

/** Its calls have no ids. */
export const vertex = countsAll(
  strict(lenient('vertex', 'gemini', { callId: () => '' }), {
    gemini: { validate: validateVertex, rejection: geminiRejection },
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
