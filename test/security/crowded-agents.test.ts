import { expect, test, vi } from 'vitest'
import { readAnswers } from '../../src/integrations/ag-ui/read-answers.ts'
import { AgentLooks } from '../../src/integrations/ai-sdk/agents/agent-looks.ts'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { agent, openJournal, run } from '../../src/journal/index.ts'
import { calls, says } from '../journal/contract/model.ts'

test('[SE620] a request that names many calls of agents reads each agent once', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('chat', { for: 'openai' })
  const asks = Array.from({ length: 20 }, (): [string, object] => ['pay', {}])
  const tools = { pay: { approval: true, execute: () => 'paid' } }
  const helper = agent({ model: ({ step }) => (step === 0 ? calls(...asks) : says('Paid.')), tools })
  const helpers = Array.from({ length: 16 }, (): [string, object] => ['helper', {}])
  const model = ({ step }: { step: number }) => (step === 0 ? calls(...helpers) : says('Done.'))
  await thread.submit('Pay')
  await run(thread, { model, tools: { helper } })
  const open = await thread.openCalls({ deep: true })
  const asked = open.flatMap(({ id, parked }) => (parked?.why === 'approval' ? [id] : []))
  expect(asked).toHaveLength(320)
  let looks = 0
  const { store } = journal
  const find = store.find.bind(store)
  store.find = name => {
    looks++
    return find(name)
  }
  const answers = await readAnswers(
    journal.thread('chat', { for: 'openai' }),
    asked.map(interruptId => ({ interruptId, status: 'resolved', payload: true })),
  )
  expect(answers.map(({ call }) => call)).toEqual(asked)
  expect(looks).toBeLessThan(2 * asked.length)
  const decider = journal.thread('chat', { for: 'openai' })
  for (const call of asked) await decider.approve(call)
  expect(looks).toBeLessThan(4 * asked.length)
  await expect(decider.approve('none-1-0')).rejects.toMatchObject({ code: 'unknown-call' })
  expect((await run(thread, { model, tools: { helper } })).status).toBe('done')
})

test('[SE622] a chat whose agent asks many questions at once shows each of them, and reads none of them again for every other', async () => {
  await using journal = await openJournal('memory:')
  const count = 300
  const asks = Array.from({ length: count }, (): [string, object] => ['pay', {}])
  const tools = { pay: { approval: true, execute: () => 'paid' } }
  const helper = agent({ model: ({ step }) => (step === 0 ? calls(...asks) : says('Paid.')), tools })
  let looks = 0
  const { store } = journal
  const find = store.find.bind(store)
  store.find = name => {
    looks++
    return find(name)
  }
  const handle = chatHandler(journal, {
    model: ({ step }) => (step === 0 ? calls(['helper', {}]) : says('Done.')),
    tools: { helper: { ...helper, inputSchema: undefined as never } },
  })
  const message = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay' }] }
  const asked = await handle(
    new Request('http://site/api/chat', { method: 'POST', body: JSON.stringify({ id: 'chat', message }) }),
  )
  const text = await asked.text()
  expect(text.split('tool-approval-request').length - 1).toBe(count)
  expect(looks).toBeLessThan(10 * count)
})

test('[SE622] many events of agents are one look, and between two looks there is as much time as the last one took', async () => {
  vi.useFakeTimers()
  try {
    const look = vi.fn()
    const looks = new AgentLooks(look)
    for (let index = 0; index < 100; index++) looks.request()
    await vi.advanceTimersByTimeAsync(1)
    expect(look).toHaveBeenCalledTimes(1)
    const taking = looks.measure(() => new Promise<void>(done => setTimeout(done, 500)))
    looks.request()
    await vi.advanceTimersByTimeAsync(500)
    await taking
    expect(look).toHaveBeenCalledTimes(2)
    for (let index = 0; index < 100; index++) looks.request()
    await vi.advanceTimersByTimeAsync(400)
    expect(look).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(200)
    expect(look).toHaveBeenCalledTimes(3)
    looks.request()
    looks.stop()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(look).toHaveBeenCalledTimes(3)
  } finally {
    vi.useRealTimers()
  }
})
