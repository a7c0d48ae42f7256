import type { FailureKind, ProviderFailure } from '../../provider.ts'

/** Failures as Bedrock writes them: the type is in a header. */
export function bedrockFailure(kind: FailureKind): ProviderFailure {
  const { status, type, message } = failures[kind]
  return { status, body: { message }, headers: { 'x-amzn-errortype': type } }
}

const failures: Record<FailureKind, { status: number; type: string; message: string }> = {
  'rate-limit': {
    status: 429,
    type: 'ThrottlingException',
    message: 'Too many requests, please wait before trying again.',
  },
  overload: {
    status: 503,
    type: 'ServiceUnavailableException',
    message: 'Bedrock is unable to process your request.',
  },
  'bad-json': { status: 400, type: 'SerializationException', message: 'The request body is not valid JSON.' },
  'too-large': { status: 413, type: 'RequestEntityTooLargeException', message: 'Request body is too large.' },
  'not-found': {
    status: 404,
    type: 'UnknownOperationException',
    message: 'The requested operation is not recognized.',
  },
}
