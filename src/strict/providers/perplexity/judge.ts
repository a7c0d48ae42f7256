import { reject } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'

/** Perplexity: user and assistant must alternate. */
export const perplexity: Validator = chat =>
  chat
    .filter(({ role }, place) => (role === 'user' || role === 'assistant') && chat[place - 1]?.role === role)
    .map(({ at }) => reject('px-alternate', alternateText, at))

const alternateText = 'After the (optional) system message(s), user and assistant roles should be alternating.'
