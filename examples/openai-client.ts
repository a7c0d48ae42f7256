/**
 * The OpenAI client with `healFetch`: the same request is rejected without it, and answered with it.
 *
 *   npx node examples/openai-client.ts
 */
import { readFileSync } from 'node:fs'
import { healFetch } from 'antiphon/fetch'
import { startStrict } from 'antiphon/strict'
import OpenAI from 'openai'

const messages = JSON.parse(readFileSync(new URL('interrupted.json', import.meta.url), 'utf8'))
const provider = await startStrict({ script: () => 'TP 1351 leaves at 9:05.' })
const options = { apiKey: 'none', baseURL: `${provider.url}/v1` }

const plain = new OpenAI(options)
await plain.chat.completions
  .create({ model: 'gpt-5.5', messages })
  .catch(error => console.log('without:', error.message))

const fetch = healFetch({
  onRepair: ({ repairs }) => console.log('healed:', repairs.map(({ rule }) => rule).join(', ')),
})
const client = new OpenAI({ ...options, fetch })
const { choices } = await client.chat.completions.create({ model: 'gpt-5.5', messages })
console.log('with:', choices[0]?.message.content)

const stream = await client.chat.completions.create({ model: 'gpt-5.5', messages, stream: true })
let words = ''
for await (const chunk of stream) words += chunk.choices[0]?.delta.content ?? ''
console.log('streamed:', words)
await provider.close()
