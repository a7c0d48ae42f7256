import { createHash } from 'node:crypto'
import { jsonText } from '../json.ts'
import type { StrictRequest } from '../provider.ts'
import { accountOf } from '../server/account.ts'
import { strictMark } from '../server/state.ts'
import type { Answer } from './answer.ts'

/**
 * A signature or encrypted content for the thinking of an answer, `prefix` being how those of the provider begin. Its letters
 * depend on who made it for what, so that no two servers make the same one, and equal runs do.
 */
export function sign({ request, body, state, thinking, ids }: Answer, prefix: string, length: number): string {
  const history = body.messages ?? body.contents ?? body.input
  const subject = jsonText([issuerOf(request), accountOf(request), history, thinking, ids.count(prefix)])
  const signature = `${prefix}${strictMark}${createHash('sha512').update(subject).digest('hex').slice(0, length)}`
  state.sign(signature, thinking, issuerOf(request))
  return signature
}

/** Who signs, and for which model. */
export const issuerOf = ({ provider, model }: Pick<StrictRequest, 'provider' | 'model'>): string =>
  `${provider} ${model}`
