/**
 * A Python program and curl through the proxy. Only their base URL changes.
 *
 *   npx node examples/proxy.ts
 */
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startProxy } from 'antiphon/proxy'
import { startStrict } from 'antiphon/strict'

const run = promisify(execFile)
const provider = await startStrict({ script: () => 'TP 1351 leaves at 9:05.' })
const proxy = await startProxy({
  to: provider.url,
  port: 0,
  onRepair: ({ dialect, repairs }) => console.log(`  proxy: healed ${repairs.length} for ${dialect}`),
})

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const orphan = { role: 'tool', tool_call_id: 'call_9', content: 'sunny' }
const body = JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hello' }, orphan] })
const asked = ['-s', '-o', '/dev/null', '-w', 'curl: %{http_code}', '-H', 'content-type: application/json', '-d', body]

for (const [who, url] of Object.entries({ 'straight to the provider': provider.url, 'through the proxy': proxy.url })) {
  console.log(who)
  await show('python3', [here('proxy-agent.py'), here('interrupted.json')], { OPENAI_BASE_URL: `${url}/v1` })
  await show('curl', [...asked, `${url}/v1/chat/completions`])
}
await proxy.close()
await provider.close()

async function show(program: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  if (spawnSync(program, ['--version']).error) return console.log(`  ${program} is not installed`)
  const { stdout } = await run(program, args, { env: { ...process.env, ...env } })
  console.log(stdout.trim().replaceAll(/^/gm, '  '))
}
