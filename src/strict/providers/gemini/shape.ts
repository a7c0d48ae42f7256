import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** A rejection in the format of Gemini and Vertex AI. */
export const geminiShape = ({ message, status = 400 }: RejectionReason): ProviderFailure => ({
  status,
  body: { error: { code: status, message, status: 'INVALID_ARGUMENT' } },
})

/** The same through the OpenAI-compatible API, where it is in a list. */
export function geminiCompatibleShape(reason: RejectionReason): ProviderFailure {
  const { body, ...rest } = geminiShape(reason)
  return { ...rest, body: [body] }
}
