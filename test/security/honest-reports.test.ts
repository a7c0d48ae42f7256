import { expect, test } from 'vitest'
import { check, repair, trim } from '../../src/index.ts'

test('[SE273] a message that cannot be read is not said to be repaired', () => {
  for (const history of [[{ content: 'q' }], [{ role: 'robot', content: 'q' }], ['q'], [null]]) {
    const { changed, messages, repairs } = repair(history, { format: 'bedrock' })
    expect(messages).toEqual(history)
    expect(changed || repairs.some(({ rule }) => rule === 'bare-content')).toBe(false)
    expect(check(history, { format: 'bedrock' }).map(({ rule }) => rule)).not.toContain('bare-content')
  }
  const [said] = repair([{ role: 'user', content: 'q' }], { format: 'bedrock' }).messages
  expect(said).toEqual({ role: 'user', content: [{ text: 'q' }] })
})

test('[SE273] trim leaves something that is sent, and not only data of an interface', () => {
  const user = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hello.' }] }
  for (const part of [
    { type: 'data-weather', data: 'x'.repeat(10_000) },
    { type: 'source-url', sourceId: 's', url: 'https://site' },
  ])
    for (const limit of [{ maxMessages: 1 }, { maxTokens: 5 }])
      for (const dialect of ['openai', 'anthropic', 'gemini', 'cohere'] as const) {
        const history = [user, { id: 'a', role: 'assistant', parts: [part] }]
        const kept = trim(history, { for: dialect, format: 'ai-sdk-ui', ...limit })
        expect(kept).toContain(user)
        expect(check(kept, { for: dialect, format: 'ai-sdk-ui' })).toEqual([])
      }
})

test('[SE332] calls and reasoning in a message whose role cannot have them are kept, or are in the report', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'pay', arguments: '{"to":"secret-account"}' } }
  const fields = {
    tool_calls: [call],
    function_call: call.function,
    reasoning_content: 'secret-account',
    refusal: 'secret-account',
  }
  for (const [field, value] of Object.entries(fields))
    for (const role of ['user', 'system', 'developer'])
      for (const content of [null, ''])
        for (const dialect of ['openai', 'mistral', 'minimax', 'cohere', 'glm', 'gemma-template'] as const) {
          const history = [
            { role: 'user', content: 'Pay.' },
            { role, content, [field]: value },
            { role: 'user', content: 'Go on.' },
          ]
          const { messages, repairs } = repair(history, { format: 'openai-chat', for: dialect })
          const told = repairs.map(({ edits }) => edits)
          expect({
            field,
            role,
            dialect,
            said: JSON.stringify([messages, told]).includes('secret-account'),
          }).toEqual({
            ...{ field, role, dialect },
            said: true,
          })
        }
})

test('[SE333] an item with an id is sent once, whatever its type is', () => {
  const user = { role: 'user', content: 'Go on.' }
  const answered = [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: 'Done.' },
  ]
  for (const item of [
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA' },
    { type: 'context_compaction', id: 'cmp_1', encrypted_content: 'gAAAA' },
    { type: 'mcp_approval_response', id: 'mcpr_1', approval_request_id: 'mcpr_2', approve: true },
    { type: 'item_reference', id: 'msg_1' },
    { id: 'msg_1' },
  ])
    for (const between of [[], answered]) {
      const history = [item, ...between, item, user]
      const { messages } = repair(history, { format: 'openai-responses' })
      expect(messages.filter(one => one === item)).toHaveLength(1)
      expect(check(messages, { format: 'openai-responses' })).toEqual([])
    }
  const other = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gBBBB' }
  const [first, second] = repair([{ ...other, encrypted_content: 'gAAAA' }, other, user], {
    format: 'openai-responses',
  }).messages
  expect([first, second]).toEqual([
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA' },
    { type: 'compaction', encrypted_content: 'gBBBB' },
  ])
})
