import { expect, test, vi } from 'vitest'
import { chatStream } from '../../../src/integrations/ai-sdk/chat-stream.ts'
import type { LiveRun, RunNews } from '../../../src/integrations/ai-sdk/live-run.ts'
import { type LiveItem, openJournal } from '../../../src/journal/index.ts'

test('[AI80] text that streamed before its response was recorded is not sent again', async () => {
  const journal = await openJournal('memory:')
  const thread = journal.thread('c1', { for: 'openai' })
  const { seq: input } = await thread.submit('Hello')
  const turn = await thread.turn()
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const message = { role: 'assistant', content: 'Recorded.', tool_calls: [call] }
  await turn?.record({ choices: [{ message, finish_reason: 'tool_calls' }] })
  const { head } = await thread.read()
  const said = (text: string, since: number): LiveItem => ({
    ...{ kind: 'delta', delta: { kind: 'text', text }, offset: '', since },
  })
  vi.spyOn(thread, 'follow').mockImplementation(listener => {
    for (const item of [said('Recorded.', head - 1), said('Next.', head)]) listener(item)
    return () => {}
  })
  const live = {
    listen(listener: (news: RunNews) => void) {
      listener({ kind: 'over' })
      return () => {}
    },
  } as unknown as LiveRun
  const { signal } = new AbortController()
  const told: unknown[] = []
  for await (const { delta } of chatStream({ store: journal.store, thread, live, signal, input, errorText: String }))
    if (delta !== undefined) told.push(delta)
  expect(told).toEqual(['Recorded.', 'Next.'])
  await turn?.[Symbol.asyncDispose]()
  await journal.close()
})
