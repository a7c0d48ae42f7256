/**
 * LangChain: a history that the provider rejects, healed by a middleware; and two simultaneous runs on one thread of a checkpointer.
 *
 *   npx node examples/langchain.ts
 */
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { healMiddleware, openCheckpointer } from 'antiphon/adapters/langchain'
import { startStrict } from 'antiphon/strict'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'

const provider = await startStrict()
const configuration = { baseURL: `${provider.url}/v1` }
const model = new ChatOpenAI({ model: 'gpt-5.5', apiKey: 'none', configuration, maxRetries: 0 })

const messages = [
  new HumanMessage('Find me a flight to Lisbon'),
  new AIMessage({ content: '', tool_calls: [{ id: 'call_1', name: 'search_flights', args: { to: 'LIS' } }] }),
  new HumanMessage('Are you there?'),
]
const said = (answer: { messages: { text: string }[] }) => answer.messages.at(-1)?.text
const plain = createAgent({ model, tools: [] })
await plain.invoke({ messages }).catch(error => console.log('without:', error.message.slice(0, 70)))
const healing = createAgent({ model, tools: [], middleware: [healMiddleware()] })
console.log('with:', said(await healing.invoke({ messages })))

let charges = 0
const schema = z.object({ eur: z.number() })
const charge = tool(() => `charged, receipt ${++charges}`, { name: 'charge', description: 'Charges the card', schema })
const journal = await openCheckpointer('memory:')
const agent = createAgent({ model, tools: [charge], checkpointer: journal, middleware: [healMiddleware({ journal })] })
const thread = { configurable: { thread_id: 'user-42' } }
const ask = (content: string) => agent.invoke({ messages: [{ role: 'user', content }] }, thread)
const answers = await Promise.all([ask('Charge 89 EUR'), ask('And 12 EUR')])
for (const answer of answers) console.log('at once:', said(answer))
const state = await agent.graph.getState(thread)
console.log('kept:', state.values.messages.map((message: { type: string }) => message.type).join(' '))
await journal.close()
await provider.close()
