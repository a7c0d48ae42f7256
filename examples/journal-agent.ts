/** The agent of journal.ts, in its own process: continues a thread as far as it can. */
import { appendFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import { openJournal, run } from 'antiphon/journal'

const [file = '', ledger = '', url = ''] = process.argv.slice(2)
const client = new Anthropic({ apiKey: 'none', baseURL: url })
const journal = await openJournal(`sqlite:${file}`)
const thread = journal.thread('order-1042', { for: 'anthropic', leaseMs: 1_000 })

const schema = { type: 'object' as const }
const tools = ['find_order', 'refund'].map(name => ({ name, input_schema: schema }))

const going = run(thread, {
  waitMs: 20_000, // a killed owner keeps the thread until its lease ends
  model: ({ messages, signal }) =>
    client.messages.create({ model: 'claude-opus-4-5', max_tokens: 999, tools, messages, stream: true }, { signal }),
  tools: {
    find_order: { execute: () => ({ order: 1042, paid: '89 EUR' }), replay: 'safe' },
    refund: {
      approval: true,
      async execute(_: object, { key }) {
        appendFileSync(ledger, `refunded 89 EUR under the key ${key}\n`)
        if (process.env.HANG) await new Promise(() => setInterval(() => {}, 1_000)) // the bank is slow to confirm
        return 'refunded'
      },
    },
  },
})
for await (const event of going) {
  if (event.kind === 'call-start') console.log(`${event.name} has begun`)
  if (event.kind === 'approval-request') console.log(`${event.name} waits for approval`)
  if (event.kind === 'result') console.log(`${event.name} is settled: ${JSON.stringify(event.outcome)}`)
}
console.log(`the run ended: ${(await going).status}`)
await journal.close()
