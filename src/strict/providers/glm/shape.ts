import { objectOf } from '../../json.ts'
import type { Objection } from '../../judge/objection.ts'
import type { Failure, StrictRequest } from '../../provider.ts'

/** GLM in chat: a number and a text. */
export const glmShape = ({ message, code, status = 400 }: Objection): Failure => ({
  status,
  body: { error: { code, message } },
})

/** On its Anthropic endpoint: what its validator says, of every message that has the wrong role. */
export function glmAnthropicShape({ message: msg, status = 422 }: Objection, { body }: StrictRequest): Failure {
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
