import { expect, test } from 'vitest'
import { readAnswers } from '../../src/integrations/ag-ui/read-answers.ts'
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
