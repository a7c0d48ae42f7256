import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** Qwen on DashScope. */
export const qwenRejection = ({ message, status = 400 }: RejectionReason, { id }: { id: string }): ProviderFailure => ({
  status,
  body: {
    error: { code: 'invalid_parameter_error', param: null, message, type: 'invalid_request_error' },
    id: `chatcmpl-${id}`,
    request_id: id,
  },
})
