import { isRecord } from '../../core/conversation.ts'
import { cleanText } from './clean-url.ts'
import { maskText } from './filler.ts'

/** The error message in the body of a rejection; undefined if the body has an unknown form. */
export function rejectionText(body: unknown): string | undefined {
  if (typeof body === 'string') return body === '' ? undefined : body
  const inner = Array.isArray(body) ? body[0] : body
  if (!isRecord(inner)) return undefined
  for (const key of ['error', 'message', 'Message', 'detail', 'msg', 'errors']) {
    const text = inner[key] === undefined || inner[key] === null ? undefined : rejectionText(inner[key])
    if (text !== undefined) return text
  }
  return undefined
}

/** The error message without keys. Quoted text is kept only if it can be an id, a name or a path. */
export const redactRejection = (message: string): string =>
  cleanText(message.slice(0, messageMax)).replace(quoted, (quote, text: string) =>
    /^[\w.[\]:/-]{0,128}$/.test(text) ? quote : maskText(quote),
  )

const messageMax = 4000

const quoted = /(?:["`]|(?<!\w)')((?:[^"'`]|\w'\w)*)["'`]/g

/** Whether a status means that the request itself is at fault, and not the API key, the load or the network. */
export const isRejectionStatus = (status: number): boolean => status >= 400 && !unrelated.has(status)

const unrelated = new Set([401, 402, 403, 404, 407, 408, 409, 425, 429, 502, 503, 504, 529])
