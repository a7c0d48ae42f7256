import type { Objection } from '../../judge/objection.ts'
import type { Failure } from '../../provider.ts'

/** MiniMax, on either endpoint. */
export const minimaxShape = ({ message, status = 400 }: Objection, { id }: { id: string }): Failure => ({
  status,
  body: {
    type: 'error',
    error: { type: 'bad_request_error', message, http_code: String(status) },
    request_id: id,
  },
})
