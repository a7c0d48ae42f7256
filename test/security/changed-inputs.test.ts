import { jsonSchema } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { agent, openJournal } from '../../src/journal/index.ts'
import { calls, says } from '../journal/contract/model.ts'

const post = (body: object): Request =>
  new Request('http://site/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 't', ...body }),
  })

interface Part {
  state?: string
  approval?: { id: string; approved?: boolean }
}

const zod = z.object({ eur: z.number().max(10), to: z.string().default('Ann') })
const own = jsonSchema<z.infer<typeof zod>>(
  { type: 'object' },
  {
    validate: given => {
      const { success, data, error } = zod.safeParse(given)
      return success ? { success, value: data } : { success, error }
    },
  },
)

test.for<[string, unknown]>([
  ['a library', zod],
  ['the SDK', own],
  ['a function', () => own],
])(
  '[SE207] a client cannot approve a call with an input that does not fit the schema of its tool: %s',
  async ([, inputSchema]) => {
    await using journal = await openJournal('memory:')
    const paid: unknown[] = []
    const pay = { inputSchema, needsApproval: true, execute: (input: never) => void paid.push(input) }
    let asked = 0
    const model = () => (asked++ === 0 ? calls(['pay', { eur: 1 }], ['pay', { eur: 2 }]) : says('Paid.'))
    const handler = chatHandler(journal, { model, tools: { pay }, thread: { for: 'openai' } })
    await (await handler(post({ message: { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Pay' }] } }))).text()
    const messages = (await (await handler(new Request('http://site/chat/t'))).json()) as { parts: Part[] }[]
    const ids = messages
      .flatMap(({ parts }) => parts)
      .flatMap(part => {
        if (!part.approval) return []
        part.state = 'approval-responded'
        part.approval.approved = true
        return part.approval.id
      })
    expect(ids).toHaveLength(2)
    const [one = '', other = ''] = ids
    const approve = (inputs: object) => handler(post({ messages, inputs }))
    for (const wrong of [{ eur: 5_000 }, { eur: 'all' }, {}, 'all', null]) {
      const refused = await approve({ [one]: { eur: 3 }, [other]: wrong })
      expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'invalid-input' } }])
    }
    expect(await journal.thread('t').openCalls()).toMatchObject([{ isApproved: false }, { isApproved: false }])
    expect(await (await approve({ [other]: { eur: 4 } })).text()).toContain('Paid.')
    expect(paid).toEqual([{ eur: 1 }, { eur: 4, to: 'Ann' }])
  },
)

test('[SE563] a client can change the input of a call of an agent, also if the schema of its tool changes what it gets', async () => {
  await using journal = await openJournal('memory:')
  const paid: unknown[] = []
  const inputSchema = z.object({ eur: z.string().transform(Number) })
  const pay = { inputSchema, needsApproval: true, execute: (input: never) => void paid.push(input) }
  const answers = [calls(['book', {}]), calls(['pay', { eur: '1' }]), says('Paid.'), says('Booked.')]
  const model = () => answers.shift()
  const tools = { book: agent({ model, tools: { pay } }) }
  const handler = chatHandler(journal, { model, tools, thread: { for: 'openai' } })
  await (await handler(post({ message: { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Book' }] } }))).text()
  const messages = (await (await handler(new Request('http://site/chat/t'))).json()) as { parts: Part[] }[]
  const asked = messages.at(-1)?.parts.at(-1) as Part & { approval: { id: string; approved?: boolean } }
  Object.assign(asked, { state: 'approval-responded', approval: { ...asked.approval, approved: true } })
  const approve = (eur: unknown) => handler(post({ messages, inputs: { [asked.approval.id]: { eur } } }))
  expect((await approve(2)).status).toBe(400)
  expect(await (await approve('2')).text()).toContain('Booked.')
  expect(paid).toEqual([{ eur: 2 }])
})
