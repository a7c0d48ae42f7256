import type { Objection } from '../../judge/objection.ts'
import type { Failure, StrictRequest } from '../../provider.ts'

/** A refusal as Anthropic writes it. */
export const anthropicShape = ({ message, status = 400 }: Objection, { id }: StrictRequest): Failure => ({
  status,
  body: {
    type: 'error',
    error: { type: status === 413 ? 'request_too_large' : 'invalid_request_error', message },
    request_id: id,
  },
})
