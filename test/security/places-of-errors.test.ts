import { expect, test } from 'vitest'
import { explainRejection } from '../../src/apps/cli/explain/explain-rejection.ts'
import { readError } from '../../src/apps/cli/input/rejection-input.ts'

const missing = (place: string): string =>
  `${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_01A.`

const errors = [
  missing('messages.412'),
  JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: missing('messages.529') } }),
  `API Error: 400 ${JSON.stringify({ type: 'error', error: { message: missing('messages.403') } })}`,
  `anthropic.BadRequestError: Error code: 400 - {'error': {'message': '${missing('messages.401')}'}}`,
  `Error: 500 from the gateway, ${missing('messages[429]')}`,
  `[400 Bad Request] ${missing('messages.503.content.404')}`,
]

test.each(errors)('[SE433] a place in a long history is not taken for the status of the error: %s', async text => {
  expect(readError(text)).toMatchObject({ id: 'an-missing-result' })
  expect(JSON.parse(await explainRejection(text, true, '-'))).toMatchObject({ id: 'an-missing-result', exact: true })
})

test.each([
  'AuthenticationError: 401 no key,',
  'Request failed with status code 503',
  '[529 Overloaded]',
  '{"error":{"code":403,"message":"no"}}',
])('[SE433] the status of an error is still read: %s', text => {
  const rejected = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
  expect(readError(rejected).status).toBe(400)
  expect(() => readError(`${text} ${rejected}`)).toThrow('unknown error of a provider')
})
