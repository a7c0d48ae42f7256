import type { RejectionReason } from '../../judge/rejection-reason.ts'
import type { ProviderFailure } from '../../provider.ts'

/** Formats of hosts whose errors contain only a message. */
const withBody =
  (write: (message: string, status: number) => unknown) =>
  ({ message, status = 400 }: RejectionReason): ProviderFailure => ({ status, body: write(message, status) })

/** Moonshot, Groq and Fireworks: OpenAI's format without the details. */
export const plainRejection = withBody(message => ({ error: { message, type: 'invalid_request_error' } }))

export const fireworksRejection = withBody(message => ({ error: { type: 'invalid_request_error', message } }))

export const xaiRejection = withBody(error => ({ code: 'Client specified an invalid argument', error }))

export const cohereRejection = withBody(message => ({ message }))

export const perplexityRejection = withBody((message, code) => ({ error: { message, type: 'invalid_message', code } }))
