import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** A rejection in the format of Gemini and Vertex AI. */
export const geminiRejection = ({ message, status = 400 }: RejectionReason): ProviderFailure => ({
  status,
  body: { error: { code: status, message, status: 'INVALID_ARGUMENT' } },
})

/** The same through the OpenAI-compatible API, where it is in a list. */
export function geminiCompatibleRejection(reason: RejectionReason): ProviderFailure {
  const { body, ...rest } = geminiRejection(reason)
  return { ...rest, body: [body] }
}
