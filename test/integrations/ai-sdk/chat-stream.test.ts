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
  const left = new AbortController()
  const goOn = () => {
    left.abort()
    return live
  }
  const { signal } = left
  const options = { store: journal.store, thread, live, goOn, signal, input, errorText: String }
  const told: unknown[] = []
  for await (const { delta } of chatStream(options)) if (delta !== undefined) told.push(delta)
  expect(told).toEqual(['Recorded.', 'Next.'])
  await turn?.[Symbol.asyncDispose]()
  await journal.close()
})

test('[AI82] a stream goes on if another process has continued the turn since the run of this process ended', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('c1', { for: 'openai' })
  const { seq: input } = await thread.submit('Hello')
  const runs: ((news: RunNews) => void)[] = []
  const live = {
    listen(listener: (news: RunNews) => void) {
      runs.push(listener)
      return () => {}
    },
  } as unknown as LiveRun
  const { signal } = new AbortController()
  const goOn = () => live
  const told: unknown[] = []
  const reading = (async () => {
    const options = { store: journal.store, thread, live, goOn, signal, input, errorText: String }
    for await (const { type, delta } of chatStream(options)) told.push(delta ?? type)
  })()
  const turn = await thread.turn()
  // The first run ends while another process has the turn, the second one right after that process has ended it.
  runs[0]?.({ kind: 'over' })
  await vi.waitFor(() => expect(runs).toHaveLength(2))
  const answer = turn?.record({ choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] })
  runs[1]?.({ kind: 'over' })
  await Promise.all([answer, reading])
  expect(told).toEqual(['start', 'start-step', 'text-start', 'Hi.', 'text-end', 'finish-step', 'finish'])
})
