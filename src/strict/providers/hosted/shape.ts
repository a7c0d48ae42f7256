import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** Formats of hosts whose errors contain only a message. */
const shaped =
  (write: (message: string, status: number) => unknown) =>
  ({ message, status = 400 }: RejectionReason): ProviderFailure => ({ status, body: write(message, status) })

/** Moonshot, Groq and Fireworks: OpenAI's format without the details. */
export const plainShape = shaped(message => ({ error: { message, type: 'invalid_request_error' } }))

export const fireworksShape = shaped(message => ({ error: { type: 'invalid_request_error', message } }))

export const xaiShape = shaped(error => ({ code: 'Client specified an invalid argument', error }))

export const cohereShape = shaped(message => ({ message }))

export const perplexityShape = shaped((message, code) => ({ error: { message, type: 'invalid_message', code } }))
