import type { ProviderFailure } from '../../provider.ts'

const user_id = 'user_strict'

/** OpenRouter puts the error body of the host into a string. */
export const wrappedRejection = (
  { status, body }: ProviderFailure,
  provider_name: string,
  indent?: number,
): ProviderFailure => ({
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

/** If the host rejects only after the stream began, there is only its message, without its code. */
export const midstreamRejection = (message: string, status: number, provider_name: string) => ({
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
