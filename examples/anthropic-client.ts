/**
 * The Anthropic client with `healFetch`: a crash left an error and then the real result for one call.
 *
 *   npx node examples/anthropic-client.ts
 */
import Anthropic from '@anthropic-ai/sdk'
import { healFetch } from 'antiphon/fetch'
import { startStrict } from 'antiphon/strict'

const provider = await startStrict({ script: () => 'Charged, receipt 78.' })
const options = { apiKey: 'none', baseURL: provider.url }

const request: Anthropic.MessageCreateParamsNonStreaming = {
  model: 'claude-opus-4-5',
  max_tokens: 1024,
  tools: [{ name: 'charge_card', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: 'Charge the card.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_02', name: 'charge_card', input: { eur: 89 } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_02', content: 'worker restarted', is_error: true },
        { type: 'tool_result', tool_use_id: 'toolu_02', content: 'charged 89 EUR, receipt 78' },
      ],
    },
  ],
}

const plain = new Anthropic(options)
await plain.messages.create(request).catch(error => console.log('without:', error.error.error.message))

const fetch = healFetch({
  onRepair: ({ repairs }) => console.log('healed:', repairs.map(({ rule }) => rule).join(', ')),
})
const client = new Anthropic({ ...options, fetch })
const { content } = await client.messages.create(request)
console.log('with:', content[0]?.type === 'text' && content[0].text)
const sent = provider.requests[1].body as { messages: unknown[] }
console.log('sent:', JSON.stringify(sent.messages.at(-1)))
await provider.close()
