import { createHash } from 'node:crypto'
import { textOrJson } from '../json.ts'
import type { StrictRequest } from '../provider.ts'
import { accountOf } from '../server/account.ts'
import { strictMark } from '../server/state.ts'
import type { ComposedAnswer } from './answer.ts'

/**
 * A signature or encrypted content for the thinking of an answer; `prefix` is how those of the provider begin. It depends on
 * the provider, model, account and content, so that two servers never make the same one, and equal runs do.
 */
export function sign({ request, body, state, thinking, ids }: ComposedAnswer, prefix: string, length: number): string {
  const history = body.messages ?? body.contents ?? body.input
  const subject = textOrJson([issuerOf(request), accountOf(request), history, thinking, ids.count(prefix)])
  const signature = `${prefix}${strictMark}${createHash('sha512').update(subject).digest('hex').slice(0, length)}`
  state.sign(signature, thinking, issuerOf(request))
  return signature
}

/** The provider and the model that a signature is made for. */
export const issuerOf = ({ provider, model }: Pick<StrictRequest, 'provider' | 'model'>): string =>
  `${provider} ${model}`
