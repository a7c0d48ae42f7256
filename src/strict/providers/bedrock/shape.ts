import type { Objection } from '../../judge/objection.ts'
import type { Failure } from '../../provider.ts'

/** A refusal as Bedrock writes it: the type is in a header. */
export const bedrockShape = ({ message, status = 400 }: Objection): Failure => ({
  status,
  body: { message },
  headers: { 'x-amzn-errortype': 'ValidationException' },
})
