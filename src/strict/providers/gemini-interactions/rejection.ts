import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** A rejection in the format of the Interactions API, which differs from that of generateContent. */
export const interactionsRejection = ({ message, status = 400 }: RejectionReason): ProviderFailure => ({
  status,
  body: { error: { message, code: 'invalid_request' } },
})
