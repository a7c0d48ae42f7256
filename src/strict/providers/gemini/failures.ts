import type { FailureKind, ProviderFailure, StrictRequest } from '../../provider.ts'

/** Failures as Gemini and Vertex AI write them. */
export function geminiFailure(kind: FailureKind, request?: StrictRequest): ProviderFailure {
  const { code, message, status } = failures[kind]
  const text = message.replace('{path}', request?.path ?? '/')
  return { status: code, body: { error: { code, message: text, status } } }
}

const failures: Record<FailureKind, { code: number; message: string; status: string }> = {
  'rate-limit': {
    code: 429,
    message: 'Resource has been exhausted (e.g. check quota).',
    status: 'RESOURCE_EXHAUSTED',
  },
  overload: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' },
  'bad-json': {
    code: 400,
    message: 'Invalid JSON payload received. Unexpected token.',
    status: 'INVALID_ARGUMENT',
  },
  'too-large': {
    code: 413,
    message: 'Request payload size exceeds the limit: 67108864 bytes.',
    status: 'INVALID_ARGUMENT',
  },
  'not-found': { code: 404, message: 'The requested URL {path} was not found on this server.', status: 'NOT_FOUND' },
}
