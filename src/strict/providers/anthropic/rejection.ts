import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure, StrictRequest } from '../../provider.ts'

/** A rejection in Anthropic's format. */
export const anthropicRejection = (
  { message, status = 400 }: RejectionReason,
  { id }: StrictRequest,
): ProviderFailure => ({
  status,
  body: {
    type: 'error',
    error: { type: status === 413 ? 'request_too_large' : 'invalid_request_error', message },
    request_id: id,
  },
})
