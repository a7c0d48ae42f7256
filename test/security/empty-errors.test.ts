import { expect, test } from 'vitest'
import { readRejection } from '../../src/heal/rejections/read-rejection.ts'
import { check, healRequest, repair } from '../../src/index.ts'

const history = (content: unknown, isError: boolean) => [
  { role: 'user', content: 'Delete the build.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content, is_error: isError }] },
]

test.each(['', [], null, undefined])(
  '[SE434] an error without content (%j) is found and repaired for Anthropic',
  content => {
    const broken = history(content, true)
    expect(check(broken, { for: 'anthropic' })).toMatchObject([{ rule: 'empty-result', severity: 'error' }])
    const { messages, remaining } = repair(broken, { for: 'anthropic' })
    expect(messages).toEqual(history('(no output)', true))
    expect(remaining).toEqual([])
  },
)

test.each(['', [], undefined])(
  '[SE434] a result without content (%j) of a call that did not fail is left alone',
  content => {
    const healthy = history(content, false)
    expect(repair(healthy, { for: 'anthropic' }).messages).toBe(healthy)
  },
)

test('[SE434] the error of Anthropic is known', () => {
  const message = 'messages.2.content.0.tool_result: content cannot be empty if `is_error` is true'
  const body = { type: 'error', error: { type: 'invalid_request_error', message } }
  expect(readRejection(400, body)).toMatchObject({ kind: 'history', id: 'an-error-empty' })
  const request = { model: 'claude-sonnet-4-5', max_tokens: 10, messages: history('', true), tools: [{ name: 'run' }] }
  expect(healRequest(request, { for: 'anthropic' }).body).toMatchObject({ messages: history('(no output)', true) })
})
