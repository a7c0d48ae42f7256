/**
 * An agent on the journal: a double click, a tool, an approval from another process, and a kill during a refund. The
 * refund happens once, and the model is told that its outcome is unknown.
 *
 *   npx node examples/journal.ts
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openJournal } from 'antiphon/journal'
import { startStrict } from 'antiphon/strict'

const folder = mkdtempSync(join(tmpdir(), 'antiphon-example-'))
const [file, ledger] = [join(folder, 'chat.db'), join(folder, 'ledger')]
const provider = await startStrict({
  script({ turnCalls, turnResults }) {
    if (!turnCalls.includes('find_order')) return { text: 'Let me look.', calls: [{ name: 'find_order' }] }
    if (!turnCalls.includes('refund')) return { calls: [{ name: 'refund' }] }
    return `I heard: ${turnResults.at(-1)?.text}`
  },
})
const journal = await openJournal(`sqlite:${file}`)
const thread = journal.thread('order-1042', { for: 'anthropic' })

const click = () => thread.submit('Refund order 1042, please.', { key: 'click-1' })
const [first, second] = await Promise.all([click(), click()])
console.log(`two clicks, one input: ${first.seq === second.seq}`)

console.log('\nthe agent starts')
await agent()

const [call] = await thread.openCalls()
if (!call) throw new Error('no call waits')
const verdict = await thread.approve(call.id)
console.log(`\n${call.name} was ${verdict.status}; the agent continues, and is killed`)
await agent({ HANG: '1' })

console.log('\nanother process takes over')
await agent()

console.log(
  `\nin the ledger: ${existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n').length : 0} refund`,
)
for (const message of await thread.messages()) console.log(JSON.stringify(message))
await journal.close()
await provider.close()
rmSync(folder, { recursive: true })

/** A process that runs until it has nothing to do, or hangs in a refund: then it is killed. */
async function agent(env: Record<string, string> = {}): Promise<void> {
  const program = fileURLToPath(new URL('journal-agent.ts', import.meta.url))
  const child = spawn(process.execPath, [program, file, ledger, provider.url], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(`  ${line}`)
    if (env.HANG && line === 'refund has begun') await ledgerWritten().then(() => child.kill('SIGKILL'))
  }
  await gone
}

async function ledgerWritten(): Promise<void> {
  while (!existsSync(ledger)) await new Promise(resolve => setTimeout(resolve, 10))
}
