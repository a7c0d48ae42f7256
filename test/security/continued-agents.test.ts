import { expect, test } from 'vitest'
import { agent, openJournal, run } from '../../src/journal/index.ts'

const answer = (text: string, stop_reason = 'end_turn') => ({
  ...{ type: 'message', role: 'assistant', id: 'msg_1', model: 'claude', stop_reason },
  ...{ content: [{ type: 'text', text }], usage: { input_tokens: 1, output_tokens: 1 } },
})

async function* brokenOff(text: string) {
  yield { type: 'message_start', message: { ...answer(''), content: [], stop_reason: null } }
  yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
  yield { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }
  throw Object.assign(new Error('terminated'), { code: 'ECONNRESET' })
}

const asking = {
  ...answer('', 'tool_use'),
  content: [{ type: 'tool_use', id: 'toolu_1', name: 'research', input: { topic: 'prices' } }],
}

test.each([
  ['that broke off', () => brokenOff('The first half, ')],
  ['that the provider paused', () => answer('The first half, ', 'pause_turn')],
])('[SE450] the result of an agent has the whole of an answer %s and was continued', async (_, begun) => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('parent', { for: 'anthropic' })
  await thread.submit('Compare prices')
  const parent = [asking, answer('Done.')]
  const child = [begun, () => answer('and the second half.')]
  const research = agent({ model: () => child.shift()?.(), onCut: 'continue', attempts: 3 })
  expect(await run(thread, { model: () => parent.shift(), tools: { research } })).toMatchObject({ status: 'done' })
  expect((await thread.messages())[2]).toMatchObject({
    content: [{ type: 'tool_result', content: 'The first half, and the second half.' }],
  })
})
