import type { FailureKind, ProviderFailure, StrictRequest } from '../../provider.ts'

/** Failures as Anthropic writes them. */
export function anthropicFailure(kind: FailureKind, request?: StrictRequest): ProviderFailure {
  const { status, type, message } = failures[kind]
  const body = { type: 'error', error: { type, message }, request_id: request?.id ?? null }
  return { status, body, ...(kind === 'rate-limit' && { headers: { 'retry-after': '1' } }) }
}

const failures: Record<FailureKind, { status: number; type: string; message: string }> = {
  'rate-limit': {
    status: 429,
    type: 'rate_limit_error',
    message: "This request would exceed your organization's rate limit of 50 requests per minute.",
  },
  overload: { status: 529, type: 'overloaded_error', message: 'Overloaded' },
  'bad-json': {
    status: 400,
    type: 'invalid_request_error',
    message: 'The request body is not valid JSON: unexpected character: line 1 column 1 (char 0)',
  },
  'too-large': {
    status: 413,
    type: 'request_too_large',
    message: 'Request exceeds the maximum allowed number of bytes.',
  },
  'not-found': { status: 404, type: 'not_found_error', message: 'Not Found' },
}
