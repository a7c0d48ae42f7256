import type { Objection } from '../../judge/objection.ts'
import type { Failure } from '../../provider.ts'

/** A refusal of vLLM. It has no words of its own: they are those of the template or the tokenizer. */
export const vllmShape = ({ message }: Objection): Failure => ({
  status: 400,
  body: { error: { message, type: 'BadRequestError', param: null, code: 400 } },
})
