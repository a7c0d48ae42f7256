import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openJournal, run } from '../../src/journal/index.ts'
import { createTape } from '../../src/observe/tape/index.ts'
import { programFile } from '../programs.ts'
import { root } from '../repository.ts'

/** The files that the pages speak of, and the commands, in a folder. */
export async function setStage(folder: string, url: string): Promise<NodeJS.ProcessEnv> {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  const sample = join(root, 'test/doctor/systems/codex/samples/broken')
  write('chat.json', JSON.stringify(longChat))
  copyFileSync(join(root, 'test/fixtures/pydantic-ai.json'), join(folder, 'dump.json'))
  copyFileSync(join(root, 'test/fixtures/gemini-interactions.json'), join(folder, 'steps.json'))
  write('error.json', JSON.stringify({ error: { message: "Unknown parameter: 'store'." } }))
  write('body.json', JSON.stringify({ model: 'x', store: true, messages: [{ role: 'user', content: 'Hi' }] }))
  write('record.json', JSON.stringify({ before: [ask], after: [ask, answer] }))
  write('request.sh', `curl https://api.openai.com/v1/chat/completions -d '${JSON.stringify({ messages: [ask] })}'`)
  write('batch.jsonl', `${JSON.stringify({ custom_id: 'a', body: { model: 'gpt-5', messages: [ask] } })}\n`)
  const entry = {
    request: { url: 'https://api.openai.com/v1/responses', postData: { text: JSON.stringify({ input: [ask] }) } },
  }
  write('trace.har', JSON.stringify({ log: { entries: [entry] } }))
  write('chat.tape', await interruptedTape(url))
  write('agent.js', agentInJavaScript)
  write('agent.py', agentInPython)
  cpSync(sample, join(folder, 'home/.codex/sessions'), { recursive: true })
  cpSync(sample, join(folder, 'PATH'), { recursive: true })
  for (const name of readdirSync(sample)) copyFileSync(join(sample, name), join(folder, 'session.jsonl'))
  await keepJournal(join(folder, 'chat.db'))
  mkdirSync(join(folder, 'bin'))
  for (const [name, line] of Object.entries(commands)) {
    write(`bin/${name}`, `#!/bin/sh\n${line}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  return {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: join(folder, 'home'),
    OPENAI_API_KEY: 'none',
    ANTHROPIC_API_KEY: 'none',
    OPENAI_BASE_URL: `${url}/v1`,
    XDG_DATA_HOME: join(folder, 'home/data'),
    CODEX_HOME: undefined,
    CLAUDE_CONFIG_DIR: undefined,
    NO_COLOR: '1',
  }
}

const node = `'${process.execPath}'`
const commands = {
  antiphon: `exec ${node} '${programFile('antiphon')}' "$@"`,
  node: `exec ${node} "$@"`,
  npx: 'exec "$@"',
  // A machine without Python has nothing to show of it.
  python: 'command -v python3 > /dev/null || exit 0; exec python3 "$@"',
}

const ask = { role: 'user', content: 'Find me a flight to Lisbon' }
const answer = { role: 'assistant', content: [{ type: 'text', text: 'Where from?' }] }
const search = { type: 'tool_use', id: 'toolu_01A', name: 'search_flights', input: { to: 'LIS' } }
const longChat = [
  ...Array.from({ length: 7 }, () => [ask, answer]).flat(),
  { role: 'assistant', content: [{ type: 'text', text: 'I am looking.' }, search] },
  { role: 'user', content: 'Are you there?' },
]

const broken = JSON.stringify([
  { role: 'user', content: 'How is the weather?' },
  { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
])

const agentInJavaScript = `
import { healFetch } from 'antiphon/fetch'
const body = JSON.stringify({ model: 'gpt-5.5', messages: ${broken} })
const url = process.env.OPENAI_BASE_URL + '/chat/completions'
const { status } = await healFetch()(url, { method: 'POST', body })
process.exitCode = status === 200 ? 0 : 1
`

const agentInPython = `
import json, os, urllib.request
for name, path in (("OPENAI_BASE_URL", "/chat/completions"), ("ANTHROPIC_BASE_URL", "/v1/messages")):
    if name in os.environ:
        body = {"model": "gpt-5", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]}
        urllib.request.urlopen(os.environ[name] + path, json.dumps(body).encode())
`

async function keepJournal(file: string): Promise<void> {
  await using journal = await openJournal(`sqlite:${file}`)
  const thread = journal.thread('user-42', { for: 'anthropic' })
  await thread.submit('Book me a flight')
  const content = [{ type: 'text', text: 'Where to?' }]
  await run(thread, { model: () => ({ type: 'message', role: 'assistant', content, stop_reason: 'end_turn' }) })
}

/** What docs/debug-a-400.md tells: the user pressed stop and went on typing, and then the tool came back. */
async function interruptedTape(url: string): Promise<string> {
  const lines: string[] = []
  const start = Date.UTC(2026, 10, 1)
  let now = start
  const tape = createTape({ write: line => lines.push(line), now: () => now })
  const at = (ms: number): void => {
    now = start + ms
  }
  const tools = [{ name: 'bash', input_schema: { type: 'object' } }]
  const messages: object[] = [{ role: 'user', content: 'Run the tests.' }]
  const send = async (asked: number, answered: number): Promise<{ content: object[] }> => {
    const body = JSON.stringify({ model: 'claude-opus-4-5', max_tokens: 64, tools, messages })
    at(asked)
    const request = tape.request({ url: `${url}/v1/messages`, body })
    const response = await fetch(`${url}/v1/messages`, { method: 'POST', body })
    const text = await response.text()
    at(answered)
    tape.response(request, { status: response.status, body: text })
    return JSON.parse(text)
  }
  tape.input()
  const { content } = await send(29, 123)
  const call = { id: 'toolu_01', name: 'bash' }
  at(124)
  tape.callStart(call)
  messages.push({ role: 'assistant', content })
  at(764)
  tape.interrupt()
  tape.input()
  messages.push({ role: 'user', content: 'Stop, the unit tests are enough.' })
  await send(786, 814)
  at(1128)
  tape.callEnd({ ...call, status: 'done' })
  messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01', content: '3 failed' }] })
  await send(1130, 1160)
  return lines.join('')
}

/** What the model says to it. */
export const script = [
  { text: 'Running all of them.', calls: [{ id: 'toolu_01', name: 'bash', input: { command: 'npm test' } }] },
]
