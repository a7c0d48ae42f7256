import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** A rejection of vLLM, with the message of the template or the tokenizer. */
export const vllmRejection = ({ message }: RejectionReason): ProviderFailure => ({
  status: 400,
  body: { error: { message, type: 'BadRequestError', param: null, code: 400 } },
})
