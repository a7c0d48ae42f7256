import type { Objection } from '../../judge/objection.ts'
import type { Failure } from '../../provider.ts'

/** Qwen on DashScope. */
export const qwenShape = ({ message, status = 400 }: Objection, { id }: { id: string }): Failure => ({
  status,
  body: {
    error: { code: 'invalid_parameter_error', param: null, message, type: 'invalid_request_error' },
    id: `chatcmpl-${id}`,
    request_id: id,
  },
})
