import type { Failure } from '../../provider.ts'

const user_id = 'user_strict'

/** OpenRouter puts the body of the host behind it into a string. */
export const wrappedShape = ({ status, body }: Failure, provider_name: string, indent?: number): Failure => ({
  status,
  body: {
    error: {
      message: 'Provider returned error',
      code: status,
      metadata: { raw: JSON.stringify(body, null, indent), provider_name },
    },
    user_id,
  },
})

/** When the host refuses only after the stream began, there is just its text, without its number. */
export const midstreamShape = (message: string, status: number, provider_name: string) => ({
  status,
  body: {
    error: {
      message: `${provider_name} midstream error: ${message.replace(/ \(\d+\)$/, '')}`,
      code: status,
      metadata: { provider_name },
    },
    user_id,
  },
  inStream: true,
})
