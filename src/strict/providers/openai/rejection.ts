import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** A rejection in the format of OpenAI and Azure. */
export const openaiRejection = ({
  message,
  param = null,
  code = null,
  status = 400,
}: RejectionReason): ProviderFailure => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param, code } },
})
