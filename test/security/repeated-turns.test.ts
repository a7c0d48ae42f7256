import { expect, test } from 'vitest'
import { chatHandler, loadUIMessages } from '../../src/integrations/ai-sdk/index.ts'
import { openJournal } from '../../src/journal/index.ts'
import { says } from '../journal/contract/model.ts'

test('[AI84] a failed turn is tried again on each branch that has it', async () => {
  await using journal = await openJournal('memory:')
  const answers = [new Error('overloaded'), says('On the new branch.'), says('On the main branch.')]
  const model = (): unknown => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  const handler = chatHandler(journal, { model, thread: { for: 'openai' }, onError: () => {} })
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }
  const post = async (trigger: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ id: 't', messages: [message], trigger })
    return (await handler(new Request('http://site/chat', { method: 'POST', headers, body }))).text()
  }
  await post('submit-message')
  const thread = journal.thread('t', { for: 'openai' })
  await thread.fork()
  await thread.switch(2)
  expect(await post('regenerate-message')).toContain('On the new branch.')
  await thread.switch(1)
  expect(await post('regenerate-message')).toContain('On the main branch.')
  for (const [branch, text] of [
    [1, 'On the main branch.'],
    [2, 'On the new branch.'],
  ] as const)
    expect(await loadUIMessages(journal, 't', { branch })).toMatchObject([
      { id: 'm1', role: 'user' },
      { role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text }] },
    ])
})
