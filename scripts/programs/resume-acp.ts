import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isRecord } from '../../src/core/conversation.ts'

/**
 * Resumes the newest session of Cline over the Agent Client Protocol, and prints what the model says: `cline --id` needs a
 * terminal and a person. The arguments are the command, its options, and the prompt.
 */
const [file, ...args] = process.argv.slice(2)
const prompt = args.pop() ?? ''
const sessions = join(process.env.HOME ?? '', '.cline/data/sessions')
const sessionId = readdirSync(sessions).sort().at(-1) ?? ''

const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
let isAsked = false
const waiting = new Map<unknown, (answer: Record<string, unknown>) => void>()
createInterface({ input: child.stdout }).on('line', line => {
  const { id, method, params, ...answer } = JSON.parse(line) as Record<string, unknown>
  if (method === undefined) return waiting.get(id)?.(answer)
  const update = isRecord(params) ? params.update : undefined
  if (isAsked && isRecord(update) && update.sessionUpdate === 'agent_message_chunk' && isRecord(update.content))
    process.stdout.write(String(update.content.text ?? ''))
})

function ask(id: number, method: string, params: object): Promise<void> {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  return new Promise((resolve, reject) =>
    waiting.set(id, ({ error }) => (error === undefined ? resolve() : reject(new Error(JSON.stringify(error))))),
  )
}

await ask(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
await ask(1, 'session/load', { sessionId, cwd: process.cwd(), mcpServers: [] })
isAsked = true
await ask(2, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] })
child.kill()
process.exit()
