import { tool } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { agUiHandler } from '../../src/integrations/ag-ui/index.ts'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { openJournal, run } from '../../src/journal/index.ts'
import { calls, says } from '../journal/contract/model.ts'

const inputSchema = z.object({ eur: z.number() })

test.each([
  ['always', true],
  ['for some inputs', ({ eur }: { eur: number }) => eur > 5],
])('[SE495] a tool of the AI SDK runs in a journal only after the approval that it needs: %s', async (_, needs) => {
  await using journal = await openJournal('memory:')
  const paid: unknown[] = []
  const pay = tool({ inputSchema, needsApproval: needs, execute: input => void paid.push(input) })
  const tools = { pay } as never
  const answers = [calls(['pay', { eur: 9 }]), says('Paid.'), calls(['pay', { eur: 9 }]), says('Paid.')]
  const model = () => answers.shift()

  const thread = journal.thread('run', { for: 'openai' })
  await thread.submit('Pay')
  expect(await run(thread, { model, tools })).toMatchObject({ status: 'parked' })
  const [call] = await thread.openCalls()
  expect(paid).toEqual([])
  await thread.approve(call.id)
  await run(thread, { model, tools })
  expect(paid).toEqual([{ eur: 9 }])

  const handler = agUiHandler(journal, { model, tools, thread: { for: 'openai' } })
  const input = { threadId: 'ag-ui', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'Pay' }] }
  const headers = { 'content-type': 'application/json' }
  await (await handler(new Request('http://site', { method: 'POST', headers, body: JSON.stringify(input) }))).text()
  expect(await journal.thread('ag-ui').openCalls()).toMatchObject([{ name: 'pay', parked: { why: 'approval' } }])
  expect(paid).toHaveLength(1)
})

test.each([
  ['approval', { approval: true, needsApproval: false }],
  ['needsApproval', { approval: false, needsApproval: true }],
  ['a function', { approval: () => false, needsApproval: () => true }],
])('[SE520] a call waits if approval or needsApproval asks, in run and in chatHandler: %s', async (_, asks) => {
  await using journal = await openJournal('memory:')
  const paid: unknown[] = []
  const tools = { pay: { execute: (input: unknown) => void paid.push(input), ...asks } }
  const model = () => calls(['pay', { eur: 9 }])
  const thread = journal.thread('run', { for: 'openai' })
  await thread.submit('Pay')
  expect(await run(thread, { model, tools })).toMatchObject({ status: 'parked' })
  const handler = chatHandler(journal, { model, tools, thread: { for: 'openai' } })
  const body = JSON.stringify({
    id: 'chat',
    message: { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Pay' }] },
  })
  const headers = { 'content-type': 'application/json' }
  await (await handler(new Request('http://site', { method: 'POST', headers, body }))).text()
  for (const name of ['run', 'chat'])
    expect(await journal.thread(name).openCalls()).toMatchObject([{ name: 'pay', parked: { why: 'approval' } }])
  expect(paid).toEqual([])
})
