import { expect, test } from 'vitest'
import { findEndpoint } from '../../src/integrations/fetch/endpoint.ts'
import { healRequestText } from '../../src/integrations/fetch/heal-request-text.ts'

const digits = '12345678901234567897'
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
const answer = { role: 'tool', tool_call_id: 'call_1', content: 'A cat.' }

test.each([
  ['a call', [{ role: 'assistant', content: 'I look.', tool_calls: ['digits', call] }, answer]],
  ['the only call', [{ role: 'assistant', content: 'I look.', tool_calls: ['digits'] }]],
  [
    'a block of content',
    [
      { role: 'user', content: ['digits'] },
      { role: 'assistant', content: '', tool_calls: [call] },
    ],
  ],
])('[SE401] a long number in place of %s is not rounded, nor are others in the request', (_, broken) => {
  const messages = [{ role: 'user', content: 'Go.', seen: 'digits' }, ...broken]
  const text = JSON.stringify({ model: 'gpt-5', messages }).replaceAll('"digits"', digits)
  const endpoint = findEndpoint(new URL('https://api.openai.com/v1/chat/completions'))
  const healed = endpoint && healRequestText(text, endpoint, {})
  const after = (healed?.text ?? text) + JSON.stringify(healed?.repairs ?? [])
  expect(after.match(/12345678901234\d+/g)).toEqual(expect.arrayContaining([digits, digits]))
  expect(after).not.toMatch(/12345678901234(?!567897)/)
  expect(after).not.toContain('rawJSON')
})
