import { createServer } from 'node:http'
import { HttpAgent } from '@ag-ui/client'
import { CopilotRuntime, InMemoryAgentRunner } from '@copilotkit/runtime/v2'
import { createCopilotNodeListener } from '@copilotkit/runtime/v2/node'
import { agUiHandler } from 'antiphon/adapters/ag-ui'
import { openJournal } from 'antiphon/journal'
import OpenAI from 'openai'

const client = new OpenAI()
const parameters = { type: 'object', properties: { eur: { type: 'number' } } }
const pay = { name: 'pay', description: 'Pays for a flight.', parameters }

const handler = agUiHandler(await openJournal('sqlite:chat.db'), {
  model({ messages, signal, input }) {
    // The tools of the server, and those of the page.
    const tools = [pay, ...input.tools].map(tool => ({ type: 'function' as const, function: tool }))
    return client.chat.completions.create({ model: 'gpt-5.5', messages, tools, stream: true }, { signal })
  },
  tools: { pay: { approval: true, execute: ({ eur }: { eur: number }) => `paid ${eur} EUR` } },
  whenBusy: 'interrupt',
})
const agent = new HttpAgent({ url: 'http://localhost/', fetch: (url, init) => handler(new Request(url, init)) })

/** A page that is opened again gets its history from the journal. */
class JournalRunner extends InMemoryAgentRunner {
  override connect({ threadId }: { threadId: string }) {
    return agent.clone().run({ threadId, runId: crypto.randomUUID(), messages: [], tools: [], context: [] })
  }
}
const runtime = new CopilotRuntime({ agents: { default: agent }, runner: new JournalRunner() })
const listener = createCopilotNodeListener({ runtime, basePath: '/api/copilotkit' })
createServer(listener).listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
