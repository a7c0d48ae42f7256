import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** A rejection in Bedrock's format: the type is in a header. */
export const bedrockRejection = ({ message, status = 400 }: RejectionReason): ProviderFailure => ({
  status,
  body: { message },
  headers: { 'x-amzn-errortype': 'ValidationException' },
})
