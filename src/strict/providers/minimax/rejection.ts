import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** MiniMax, on either endpoint. */
export const minimaxRejection = (
  { message, status = 400 }: RejectionReason,
  { id }: { id: string },
): ProviderFailure => ({
  status,
  body: {
    type: 'error',
    error: { type: 'bad_request_error', message, http_code: String(status) },
    request_id: id,
  },
})
