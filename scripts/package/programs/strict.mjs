import assert from 'node:assert/strict'
import { heal } from 'antiphon'
import { startStrict } from 'antiphon/strict'

const messages = [
  { role: 'user', content: 'Refund order 1042.' },
  { role: 'tool', tool_call_id: 'call_a', content: 'refunded' },
]
const provider = await startStrict({ provider: 'openai', script: ['It is done.'] })
try {
  const refused = await ask(messages)
  assert.equal(refused.status, 400)
  const answered = await ask(heal(messages, { for: 'openai' }))
  assert.equal(answered.status, 200)
  assert.equal((await answered.json()).choices[0].message.content, 'It is done.')
} finally {
  await provider.close()
}

function ask(messages) {
  const body = JSON.stringify({ model: 'gpt-5', messages })
  const headers = { 'content-type': 'application/json', authorization: 'Bearer any' }
  return fetch(`${provider.url}/v1/chat/completions`, { method: 'POST', headers, body })
}
