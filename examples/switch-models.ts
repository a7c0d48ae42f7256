/**
 * One history, three models: it starts at OpenAI, is trimmed, continues at Anthropic, and then at Mistral.
 *
 *   npx node examples/switch-models.ts
 */
import { convert, cutPoints, trim } from 'antiphon'
import { startStrict } from 'antiphon/strict'

const provider = await startStrict({ script: ({ provider, lastUser }) => `${provider} heard: ${lastUser}` })
const ids = new Map<string, string>()

const turns = Array.from({ length: 20 }, (_, index) => [
  { role: 'user', content: `What costs order ${index}?` },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: `call_${index}_aLongIdOfOpenAI`, type: 'function', function: { name: 'price', arguments: '{}' } },
    ],
  },
  { role: 'tool', tool_call_id: `call_${index}_aLongIdOfOpenAI`, content: `${index * 3} EUR` },
  { role: 'assistant', content: `It costs ${index * 3} EUR.` },
]).flat()
const history = [{ role: 'system', content: 'You sell things.' }, ...turns, { role: 'user', content: 'And in all?' }]

const short = trim(history, { maxMessages: 12 })
console.log(
  `${history.length} messages, cut to ${short.length}; a cut would be safe at ${cutPoints(history).length} places`,
)

const chat = (messages: readonly unknown[], model: string) => ({ model, messages })
console.log('openai:', await ask('/v1/chat/completions', chat(short, 'gpt-5.5')))

const [system, ...rest] = convert(short, { to: 'anthropic', ids }) as { role: string; content: unknown }[]
const tools = [{ name: 'price', input_schema: { type: 'object' } }]
const body = { model: 'claude-opus-4-5', max_tokens: 99, system: system?.content, tools, messages: rest }
console.log('anthropic:', await ask('/v1/messages', body))

const forMistral = convert(short, { to: 'openai-chat', for: 'mistral', ids })
console.log('ids as Mistral accepts them:', JSON.stringify(forMistral).match(/"tool_call_id":"(\w+)"/)?.[1])
console.log('mistral:', await ask('/mistral/v1/chat/completions', chat(forMistral, 'mistral-large-latest')))

const back = convert(forMistral, { to: 'openai-chat', ids })
console.log('converted back, the original id:', JSON.stringify(back).match(/"tool_call_id":"(\w+)"/)?.[1])
await provider.close()

async function ask(path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(provider.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return `${response.status} ${JSON.stringify(await response.json()).match(/\w+ heard: [^"]*/)?.[0] ?? 'refused'}`
}
