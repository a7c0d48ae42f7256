import { expect, test } from 'vitest'
import { openJournal, run } from '../../src/journal/index.ts'

const answer = (content: object[], stop_reason = 'end_turn') => ({
  ...{ type: 'message', role: 'assistant', id: 'msg_1', model: 'claude', stop_reason, content },
  usage: { input_tokens: 1, output_tokens: 1 },
})

test('[SE451] a summary that is begun while another branch waits to become the current one is not written to that branch', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('chat', { for: 'anthropic' })
  const inputs: number[] = []
  for (const input of ['Tell me about one, in many words', 'My password is hunter2', 'Tell me about three']) {
    inputs.push((await thread.submit(input)).seq)
    await run(thread, { model: () => answer([{ type: 'text', text: `Answer to: ${input}` }]) })
  }
  await thread.submit('Tell me about four')
  const turn = await thread.turn()
  const [call] =
    (await turn?.record(answer([{ type: 'tool_use', id: 'toolu_1', name: 'slow', input: {} }], 'tool_use'))) ?? []
  if (!turn || !call) throw new Error('there is no call to perform')
  let end = (): void => {}
  const performed = turn.perform(call, () => new Promise<string>(resolve => (end = () => resolve('done'))))
  // The turn is interrupted, and the new branch waits until its tool has ended.
  await thread.edit(inputs[1] ?? 0, 'Tell me about two')
  const summary = async (): Promise<string> => {
    end()
    await performed
    await turn[Symbol.asyncDispose]()
    return 'The password is hunter2.'
  }
  expect(await thread.compact({ summary, keepTurns: 1 }).catch(({ code }) => code)).toBe('branch-changed')
  expect(JSON.stringify(await thread.messages())).not.toContain('hunter2')
})
