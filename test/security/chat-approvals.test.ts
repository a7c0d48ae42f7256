import { expect, test } from 'vitest'
import { z } from 'zod'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { agent, openJournal, type Tool, tool } from '../../src/journal/index.ts'
import { calls, says } from '../journal/contract/model.ts'

const inputSchema = z.object({ eur: z.number() })

test.each([
  ['always', true],
  ['for some inputs', ({ eur }: { eur: number }) => eur > 5],
])(
  '[SE452] chatHandler runs a tool that is declared for the journal with an approval only after it: %s',
  async (_, approval) => {
    await using journal = await openJournal('memory:')
    const paid: unknown[] = []
    const pay = tool({ inputSchema, approval, execute: input => void paid.push(input) })
    const answers = [calls(['pay', { eur: 9 }]), says('Paid.')]
    const handler = chatHandler(journal, { model: () => answers.shift(), tools: { pay }, thread: { for: 'openai' } })
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Pay' }] }
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ id: 't', message })
    await (await handler(new Request('http://site/chat', { method: 'POST', headers, body }))).text()
    expect(paid).toEqual([])
    expect(await journal.thread('t').openCalls()).toMatchObject([{ name: 'pay', parked: { why: 'approval' } }])
  },
)

test.each([{ approval: true }, { needsApproval: true }])(
  '[SE452] a tool of an agent in a chat runs only after its approval: %o',
  async approval => {
    await using journal = await openJournal('memory:')
    const paid: unknown[] = []
    const pay: Tool = { execute: input => void paid.push(input), ...approval }
    const research = agent({ model: () => calls(['pay', { eur: 9 }]), tools: { pay } })
    const model = () => calls(['research', { eur: 9 }])
    const handler = chatHandler(journal, { model, tools: { research }, thread: { for: 'openai' } })
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Pay' }] }
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ id: 't', message })
    await (await handler(new Request('http://site/chat', { method: 'POST', headers, body }))).text()
    expect(paid).toEqual([])
    expect(await journal.thread('t').openCalls({ deep: true })).toMatchObject([
      { name: 'research', parked: { why: 'agent' } },
      { name: 'pay', parked: { why: 'approval' } },
    ])
  },
)
