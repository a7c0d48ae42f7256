import type { StrictRequest } from '../provider.ts'

/**
 * The account of a request, by provider, key and organization: one account does not see what another was given. Undefined
 * without a key, as tests and shells often send requests.
 */
export function accountOf({ provider, headers, query }: StrictRequest): string | undefined {
  const key = keyHeaders.map(name => headers[name]).find(Boolean) ?? query?.key ?? credentialOf(headers.authorization)
  if (key === undefined) return undefined
  const owners = ['openai-organization', 'openai-project'].map(name => headers[name] ?? '')
  return [provider, key, ...owners].join('\n')
}

const keyHeaders = ['x-api-key', 'api-key', 'x-goog-api-key']

/** The key id of a request signed by Amazon's client: the rest of the header differs each time. */
const credentialOf = (authorization: string | undefined): string | undefined =>
  authorization?.match(/\bCredential=([^/,\s]+)/)?.[1] ?? authorization
