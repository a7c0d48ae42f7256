import type { FailureKind, ProviderFailure } from '../../provider.ts'

/** Failures of the server itself. Only the answer to a body that is not JSON was read in its code. */
export function ollamaFailure(kind: FailureKind): ProviderFailure {
  const { status, error } = failures[kind]
  return { status, body: { error } }
}

const failures: Record<FailureKind, { status: number; error: string }> = {
  'rate-limit': { status: 429, error: 'too many requests' },
  overload: { status: 503, error: 'server busy, please try again.  maximum pending requests exceeded' },
  'bad-json': { status: 400, error: 'invalid character at the beginning of value' },
  'too-large': { status: 413, error: 'http: request body too large' },
  'not-found': { status: 404, error: '404 page not found' },
}
