import type { StrictRequest } from '../provider.ts'

/**
 * Whose request it is, by provider, key and organization: what one account was given is not known to another. Undefined without
 * a key, which is what tests and shells often send.
 */
export function accountOf({ provider, headers, query }: StrictRequest): string | undefined {
  const key = keyHeaders.map(name => headers[name]).find(Boolean) ?? query?.key ?? credentialOf(headers.authorization)
  if (key === undefined) return undefined
  const owners = ['openai-organization', 'openai-project'].map(name => headers[name] ?? '')
  return [provider, key, ...owners].join('\n')
}

const keyHeaders = ['x-api-key', 'api-key', 'x-goog-api-key']

/** The id of the key of a request that Amazon's client has signed: the rest of the header is another one each time. */
const credentialOf = (authorization: string | undefined): string | undefined =>
  authorization?.match(/\bCredential=([^/,\s]+)/)?.[1] ?? authorization
