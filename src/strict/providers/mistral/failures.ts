import type { FailureKind, ProviderFailure } from '../../provider.ts'

/** Failures as Mistral writes them. */
export function mistralFailure(kind: FailureKind): ProviderFailure {
  const { status, ...rest } = failures[kind]
  const body = { object: 'error', ...rest, param: null }
  return { status, body, ...(kind === 'rate-limit' && { headers: { 'retry-after': '1' } }) }
}

const failures: Record<FailureKind, { status: number; message: string; type: string; code: string | null }> = {
  'rate-limit': { status: 429, message: 'Rate limit exceeded', type: 'rate_limited', code: '1300' },
  overload: { status: 503, message: 'Service unavailable.', type: 'unreachable_backend', code: '1100' },
  'bad-json': { status: 400, message: 'JSON decode error', type: 'invalid_request_error', code: null },
  'too-large': { status: 413, message: 'Request size limit exceeded', type: 'invalid_request_error', code: null },
  'not-found': {
    status: 404,
    message: 'no Route matched with those values',
    type: 'invalid_request_error',
    code: null,
  },
}
