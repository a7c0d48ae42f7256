import { registerHooks } from 'node:module'

/** A process in which `@opentelemetry/api` is not installed. Tells what a turn and a healed request come to there, and every warning. */
const asked: string[] = []
registerHooks({
  resolve: (specifier, context, next) => {
    if (!specifier.startsWith('@opentelemetry/')) return next(specifier, context)
    asked.push(specifier)
    return next('a-package-that-is-not-there', context)
  },
})
const warnings: string[] = []
process.on('warning', ({ message }) => warnings.push(message))

const { openJournal, run } = await import('../../../src/journal/index.ts')
const { healFetch } = await import('../../../src/integrations/fetch/index.ts')
const loaded = asked.length
const journals = await Promise.all([
  openJournal('memory:'),
  openJournal('memory:'),
  openJournal('memory:', { telemetry: false }),
])
const results: unknown[] = []
for (const journal of journals) {
  const thread = journal.thread('t', { for: 'anthropic' })
  await thread.submit('Hello')
  const model = () => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
  })
  results.push(await run(thread, { model }))
  await journal.close()
}
const sent: string[] = []
const fetch = healFetch({
  fetch: async (_, init) => {
    sent.push(String(init?.body))
    return new Response('{}')
  },
})
const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }
const messages = [
  { role: 'user', content: 'Look' },
  { role: 'assistant', content: null, tool_calls: [call] },
]
await fetch('https://api.openai.com/v1/chat/completions', {
  method: 'POST',
  body: JSON.stringify({ model: 'gpt-5', messages }),
})
await new Promise(setImmediate)
process.send?.({ loaded, asked, results, healed: sent.map(body => JSON.parse(body).messages.length), warnings })
process.disconnect?.()
