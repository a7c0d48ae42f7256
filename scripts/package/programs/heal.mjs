import assert from 'node:assert/strict'
import { check, convert, createHealer, heal, healRequest, trim } from 'antiphon'

const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Lisbon"}' } }
const broken = [
  { role: 'user', content: 'How is the weather in Lisbon?' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'user', content: 'Hello?' },
]
assert.deepEqual(
  check(broken, { for: 'openai' }).map(({ rule, at }) => `${rule} ${at}`),
  ['unanswered-call messages[1].tool_calls[0]'],
)
const healed = heal(broken, { for: 'openai' })
assert.equal(healed.length, 4)
assert.equal(heal(healed, { for: 'openai' }), healed)
assert.deepEqual(check(healed, { for: 'openai' }), [])
assert.deepEqual(healRequest({ model: 'gpt-5', messages: broken }).body.messages, healed)
assert.deepEqual(check(convert(broken, { to: 'anthropic' }), { for: 'anthropic' }), [])
assert.deepEqual(trim(healed, { maxMessages: 1, for: 'openai' }), [broken[2]])
const healer = createHealer({ for: 'openai' })
for (const message of broken) healer.push(message)
assert.deepEqual(healer.history, healed)
