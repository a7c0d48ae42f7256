import { chatHandler } from '../../../src/integrations/ai-sdk/index.ts'
import { openJournal } from '../../../src/journal/index.ts'
import { agentWith } from './agent-with.ts'
import type { ChatClient } from './client.ts'
import { startSite } from './site.ts'

// A server of its own, for a parent that ends it in the middle of something. Its tool begins, and never ends. With `agent` an agent has the tool.
const [file, strict, name, leaseMs, live, agent] = process.argv.slice(2)
const client: ChatClient =
  name === 'ai 6' ? (await import('./client-6.ts')).client6 : (await import('./client-7.ts')).client7
process.once('disconnect', () => process.exit(1))

const journal = await openJournal(`sqlite:${file}`, { live: live === 'true' || (live !== 'false' && live) })
const begin = (): Promise<never> => {
  process.send?.({ kind: 'begun' })
  return new Promise(() => {})
}
const handler = chatHandler(journal, {
  model: client.models.openai(strict),
  tools: agent
    ? { research: agentWith(client, strict, { look: { execute: begin, approval: agent === 'asks' } }) }
    : { look: client.tool(begin) },
  thread: { leaseMs: Number(leaseMs) },
})
const site = await startSite(handler)
process.send?.({ kind: 'ready', url: site.url })
