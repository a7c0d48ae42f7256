import { isRecord } from '../../core/conversation.ts'
import { cleanWords } from './clean-url.ts'
import { shapeOf } from './filler.ts'

/** What a provider says in the body of a refusal; nothing, if that is no known form. */
export function refusalWords(body: unknown): string | undefined {
  if (typeof body === 'string') return body === '' ? undefined : body
  const inner = Array.isArray(body) ? body[0] : body
  if (!isRecord(inner)) return undefined
  for (const key of ['error', 'message', 'Message', 'detail', 'msg', 'errors']) {
    const words = inner[key] === undefined || inner[key] === null ? undefined : refusalWords(inner[key])
    if (words !== undefined) return words
  }
  return undefined
}

/** The same words without keys. What they quote stays if it can only be an id, a name or a place. */
export const redactRefusal = (words: string): string =>
  cleanWords(words.slice(0, wordsMax)).replace(quoted, (quote, said: string) =>
    /^[\w.[\]:/-]{0,128}$/.test(said) ? quote : shapeOf(quote),
  )

const wordsMax = 4000

const quoted = /(?:["`]|(?<!\w)')((?:[^"'`]|\w'\w)*)["'`]/g

/** Whether a status says that the request itself is at fault, and not the moment, the key or the network. */
export const isRefused = (status: number): boolean => status >= 400 && !passing.has(status)

const passing = new Set([401, 402, 403, 404, 407, 408, 409, 425, 429, 502, 503, 504, 529])
