import type { Failure, FailureKind } from '../../provider.ts'

/** Failures as Cohere writes them, in all of its APIs. */
export function cohereFailure(kind: FailureKind): Failure {
  const { status, message } = failures[kind]
  return { status, body: { message } }
}

/** The words of 404 and 429 are those of its list of errors; it has none for the others. */
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
