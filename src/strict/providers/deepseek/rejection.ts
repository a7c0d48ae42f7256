import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** DeepSeek, in chat and on its Anthropic endpoint. */
export const deepseekRejection = (reason: RejectionReason): ProviderFailure => rejectionWith(reason, null)

/** On its Responses endpoint the parameter is empty. */
export const deepseekResponsesRejection = (reason: RejectionReason): ProviderFailure => rejectionWith(reason, '')

const rejectionWith = ({ message, status = 400 }: RejectionReason, param: '' | null): ProviderFailure => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param, code: 'invalid_request_error' } },
})
