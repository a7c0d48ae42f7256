import type { Objection } from '../../judge/objection.ts'
import type { Failure } from '../../provider.ts'

/** A refusal as OpenAI and Azure write it. */
export const openaiShape = ({ message, param = null, code = null, status = 400 }: Objection): Failure => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param, code } },
})
