import type { FailureKind, ProviderFailure, StrictRequest } from '../../provider.ts'

/** Failures as OpenAI and Azure write them. */
export function openaiFailure(kind: FailureKind, request?: StrictRequest): ProviderFailure {
  const { status, message, ...rest } = failures[kind]
  const { model = '', method = 'POST', path = '/' } = request ?? {}
  const text = message.replace('{model}', model).replace('{method}', method).replace('{path}', path)
  const body = { error: { message: text, type: 'invalid_request_error', param: null, code: null, ...rest } }
  return { status, body, ...(kind === 'rate-limit' && { headers: { 'retry-after': '1' } }) }
}

const failures: Record<FailureKind, { status: number; message: string; type?: string; code?: string }> = {
  'rate-limit': {
    status: 429,
    message:
      'Rate limit reached for {model} on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 1s. Visit https://platform.openai.com/account/rate-limits to learn more.',
    type: 'requests',
    code: 'rate_limit_exceeded',
  },
  overload: {
    status: 503,
    message: 'The server is currently overloaded with other requests. Sorry about that! You can retry your request.',
    type: 'server_error',
  },
  'bad-json': {
    status: 400,
    message:
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
  },
  'too-large': { status: 413, message: 'The request body is too large.' },
  'not-found': { status: 404, message: 'Invalid URL ({method} {path})' },
}
