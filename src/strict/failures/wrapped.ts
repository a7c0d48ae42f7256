import type { FailureKind, ProviderFailure } from '../provider.ts'

/** Failures of a provider of which only the format of its errors is known. */
export const wrappedFailures =
  (write: (message: string, status: number) => unknown) =>
  (kind: FailureKind): ProviderFailure => {
    const { status, message } = failures[kind]
    const headers = kind === 'rate-limit' ? { headers: { 'retry-after': '1' } } : {}
    return { status, body: write(message, status), ...headers }
  }

const failures: Record<FailureKind, { status: number; message: string }> = {
  'rate-limit': { status: 429, message: 'Rate limit reached' },
  overload: { status: 503, message: 'The server is overloaded, please try again later' },
  'bad-json': { status: 400, message: 'Failed to parse the request body as JSON' },
  'too-large': { status: 413, message: 'Request body too large' },
  'not-found': { status: 404, message: 'Not found' },
}
