import { objectOf } from '../../json.ts'
import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure, StrictRequest } from '../../provider.ts'

/** GLM in chat: a number and a text. */
export const glmRejection = ({ message, code, status = 400 }: RejectionReason): ProviderFailure => ({
  status,
  body: { error: { code, message } },
})

/** On its Anthropic endpoint: the validator's message, for every message with a wrong role. */
export function glmAnthropicRejection(
  { message: msg, status = 422 }: RejectionReason,
  { body }: StrictRequest,
): ProviderFailure {
  const { messages } = objectOf(body)
  const roles = (Array.isArray(messages) ? messages : []).map(message => objectOf(message).role)
  const detail = roles.flatMap((input, index) =>
    input === 'system'
      ? [{ type: 'literal_error', loc: ['body', 'messages', index, 'role'], msg, input, ctx: { expected } }]
      : [],
  )
  return { status, body: { detail } }
}

const expected = "'user' or 'assistant'"
