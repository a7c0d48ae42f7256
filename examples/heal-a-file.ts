/**
 * Heals the history in a file: the user sent a message while two tools were running; one result is late, the other is missing.
 *
 *   npx node examples/heal-a-file.ts [FILE]
 */
import { readFileSync } from 'node:fs'
import { check, repair } from 'antiphon'
import { startStrict } from 'antiphon/strict'

const file = process.argv[2] ?? new URL('interrupted.json', import.meta.url)
const history = historyIn(file)

for (const { rule, at, message } of check(history, { for: 'openai' })) console.log(`${rule} at ${at}: ${message}`)

const { messages, repairs } = repair(history, { for: 'openai' })
for (const { rule, help } of repairs) console.log(`${rule} repaired: ${help}`)

const provider = await startStrict()
console.log('as it was:', await ask(history))
console.log('healed:', await ask(messages))
await provider.close()

function historyIn(file: string | URL): unknown[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    console.error(`${file} cannot be read: ${(error as Error).message}`)
    process.exit(2)
  }
}

async function ask(messages: readonly unknown[]): Promise<number> {
  const body = JSON.stringify({ model: 'gpt-5.5', messages })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${provider.url}/v1/chat/completions`, { method: 'POST', headers, body })).status
}
