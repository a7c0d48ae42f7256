import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const server = spawn(process.execPath, ['node_modules/antiphon/dist/cli.js', 'mcp'])
const answers = createInterface({ input: server.stdout })
const clientInfo = { name: 'check', version: '1.0.0' }
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
const { tools } = await ask('tools/list', {})
assert.deepEqual(
  tools.map(({ name }) => name),
  ['check', 'heal', 'explain', 'doctor'],
)
server.stdin.end()
assert.deepEqual(await once(server, 'close'), [0, null])

async function ask(method, params) {
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`)
  const [line] = await once(answers, 'line')
  return JSON.parse(line).result
}
