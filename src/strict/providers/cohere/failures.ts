import type { FailureKind, ProviderFailure } from '../../provider.ts'

/** Failures as Cohere writes them, in all of its APIs. */
export function cohereFailure(kind: FailureKind): ProviderFailure {
  const { status, message } = failures[kind]
  return { status, body: { message } }
}

/** The messages for 404 and 429 are from its list of errors, which has none for the others. */
const failures: Record<FailureKind, { status: number; message: string }> = {
  'rate-limit': {
    status: 429,
    message: 'You are past the per minute request limit, please wait and try again later.',
  },
  overload: { status: 503, message: 'The server is overloaded, please try again later' },
  'bad-json': { status: 400, message: 'invalid request: failed to parse the request body as JSON' },
  'too-large': { status: 413, message: 'Request body too large' },
  'not-found': { status: 404, message: '404 page not found' },
}
