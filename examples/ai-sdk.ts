/**
 * The AI SDK: a stored chat that `generateText` rejects, healed; and a chat route on the journal that gets the same message twice.
 *
 *   npx node examples/ai-sdk.ts
 */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type ModelMessage, streamText, tool, wrapLanguageModel } from 'ai'
import { chatHandler, healMiddleware, healModelMessages, loadUIMessages } from 'antiphon/adapters/ai-sdk'
import { openJournal } from 'antiphon/journal'
import { startStrict } from 'antiphon/strict'

const provider = await startStrict()
const openai = createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` })
const model = wrapLanguageModel({ model: openai.chat('gpt-5.5'), middleware: healMiddleware() })

const stored: ModelMessage[] = [
  { role: 'user', content: 'Find me a flight to Lisbon' },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'search', input: { to: 'LIS' } }],
  },
  { role: 'user', content: 'Are you there?' },
]
await generateText({ model, messages: stored }).catch(error => console.log('without:', error.name))
console.log('with:', (await generateText({ model, messages: healModelMessages(stored) })).text)

const journal = await openJournal('memory:')
let searches = 0
const chat = chatHandler(journal, {
  model: ({ messages, tools, signal }) => streamText({ model, messages, tools, abortSignal: signal }),
  tools: {
    search: tool({
      inputSchema: jsonSchema<object>({ type: 'object' }),
      execute: () => `TP 1351, search ${++searches}`,
    }),
  },
})
const message = { id: 'message-1', role: 'user', parts: [{ type: 'text', text: 'Find me a flight' }] }
const click = async () => {
  const body = JSON.stringify({ id: 'anna', message })
  return (await chat(new Request('http://site/api/chat', { method: 'POST', body }))).text()
}
await Promise.all([click(), click()])
for (const { role, parts } of await loadUIMessages(journal, 'anna'))
  console.log(`${role}:`, parts.map(part => (part.type === 'text' ? part.text : part.type)).join(' | '))
await journal.close()
await provider.close()
