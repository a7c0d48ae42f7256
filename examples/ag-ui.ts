/**
 * An AG-UI server on the journal, over HTTP, and a client that approves a call and reloads the page.
 *
 *   npx node examples/ag-ui.ts
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { HttpAgent } from '@ag-ui/client'
import Anthropic from '@anthropic-ai/sdk'
import { agUiHandler } from 'antiphon/adapters/ag-ui'
import { openJournal } from 'antiphon/journal'
import { startStrict } from 'antiphon/strict'

const provider = await startStrict()
const client = new Anthropic({ apiKey: 'none', baseURL: provider.url })
const journal = await openJournal('memory:')
const tools = [{ name: 'book', input_schema: { type: 'object' as const } }]

const handler = agUiHandler(journal, {
  thread: { for: 'anthropic' },
  model: ({ messages, signal }) =>
    client.messages.create({ model: 'claude-opus-4-5', max_tokens: 999, tools, messages, stream: true }, { signal }),
  tools: { book: { approval: true, execute: () => 'booked, seat 12A' } },
})

const server = createServer({ keepAliveTimeout: 65_000 }, async (incoming, outgoing) => {
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  const body = await text(incoming)
  const headers = { accept: incoming.headers.accept ?? '*/*' }
  const request = new Request('http://site/agent', { method: 'POST', headers, body, signal: gone.signal })
  const response = await handler(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => {})
  else outgoing.end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`

const agent = new HttpAgent({ url, threadId: 'trip' })
agent.addMessage({ id: 'm1', role: 'user', content: 'Book me a seat' })
await agent.runAgent()
console.log('waits for approval:', agent.pendingInterrupts.length)

const payload = { approved: true }
const resume = agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: 'resolved' as const, payload }))
await agent.runAgent({ resume })
console.log('the client has:', agent.messages.map(({ role }) => role).join(' '))

const reloaded = new HttpAgent({ url, threadId: 'trip' })
await reloaded.runAgent()
console.log('after a reload:', reloaded.messages.map(({ role }) => role).join(' '))
console.log('last message:', reloaded.messages.at(-1)?.content)

server.close()
server.closeAllConnections()
await journal.close()
await provider.close()
