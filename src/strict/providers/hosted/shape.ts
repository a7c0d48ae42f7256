import type { Objection } from '../../judge/objection.ts'
import type { Failure } from '../../provider.ts'

/** Shapes of hosts whose errors say no more than the message. */
const shaped =
  (write: (message: string, status: number) => unknown) =>
  ({ message, status = 400 }: Objection): Failure => ({ status, body: write(message, status) })

/** Moonshot, Groq and Fireworks: OpenAI's shape without the details. */
export const plainShape = shaped(message => ({ error: { message, type: 'invalid_request_error' } }))

export const fireworksShape = shaped(message => ({ error: { type: 'invalid_request_error', message } }))

export const xaiShape = shaped(error => ({ code: 'Client specified an invalid argument', error }))

export const cohereShape = shaped(message => ({ message }))

export const perplexityShape = shaped((message, code) => ({ error: { message, type: 'invalid_message', code } }))
