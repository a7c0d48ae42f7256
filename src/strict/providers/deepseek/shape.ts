import type { Objection } from '../../judge/objection.ts'
import type { Failure } from '../../provider.ts'

/** DeepSeek, in chat and on its Anthropic endpoint. */
export const deepseekShape = (objection: Objection): Failure => shaped(objection, null)

/** On its Responses endpoint the parameter is empty. */
export const deepseekResponsesShape = (objection: Objection): Failure => shaped(objection, '')

const shaped = ({ message, status = 400 }: Objection, param: '' | null): Failure => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param, code: 'invalid_request_error' } },
})
