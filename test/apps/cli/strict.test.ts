import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { providerNames } from '../../../src/apps/cli/commands/strict.ts'
import { type ListedFact, listFacts, providers } from '../../../src/strict/index.ts'
import { programFile } from '../../programs.ts'
import { antiphon, folder, lines } from './program.ts'

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** The program, serving. */
async function serving(...args: string[]) {
  const child = spawn(process.execPath, [programFile('antiphon'), 'strict', ...args])
  children.push(child)
  const heard = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    heard.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    heard.stderr += chunk
  })
  await expect.poll(() => heard.stdout + heard.stderr, { timeout: 120_000 }).toMatch(/others .*\n\n|antiphon: /)
  const [url = ''] = /http:\S+/.exec(heard.stdout) ?? []
  return {
    ...{ child, heard, url },
    /** Tells it to stop, and waits for that. */
    async stop(signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM') {
      const ended = once(child, 'close')
      child.kill(signal)
      return { code: (await ended)[0], ...heard }
    },
  }
}

async function post(url: string, body: object) {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}

const model = 'claude-sonnet-4-5'
const broken = {
  model,
  max_tokens: 9,
  messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'A' }] }],
}
const healthy = { model, max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] }

describe('strict', () => {
  test('[C30] [C31] serves, tells of every request, and stops when it is told to', async () => {
    const { url, heard, stop } = await serving('--port', '0')
    expect(heard.stdout).toBe(
      [
        `Strict providers are listening on ${url} and accept any key. Press Ctrl+C to stop.`,
        '',
        `  OpenAI            ${url}/v1`,
        `  Anthropic         ${url}`,
        `  Gemini            ${url}`,
        `  Bedrock endpoint  ${url}`,
        `  others            ${url}/NAME`,
        '\n',
      ].join('\n'),
    )
    const tools = [{ name: 'weather', input_schema: { type: 'object' } }]
    const refused = await post(`${url}/v1/messages`, { ...broken, tools })
    const words =
      'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: A. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.text)).toMatchObject({ type: 'error', error: { message: words } })
    expect((await post(`${url}/v1/messages`, healthy)).status).toBe(200)
    expect((await post(`${url}/mistral/v1/chat/completions`, { messages: [] })).status).toBe(400)
    const { code, stderr } = await stop()
    expect(code).toBe(0)
    expect(lines(stderr)).toEqual([
      `400 POST /v1/messages  anthropic ${model}  an-orphan: ${words}`,
      `200 POST /v1/messages  anthropic ${model}`,
      '400 POST /mistral/v1/chat/completions  mistral  mi-empty: Conversation must have at least one message',
    ])
  })

  test('[C30] one provider answers everywhere, in a mode, pedantically', async () => {
    const { url, heard, stop } = await serving('--provider', 'qwen', '--pedantic', '--mode', 'slow:1')
    expect(heard.stdout).toContain(`\n  qwen              ${url}/v1\n  others            ${url}/NAME\n`)
    const call = { role: 'assistant', content: 'x', tool_calls: [] }
    const user = { role: 'user', content: 'x' }
    const answer = await post(`${url}/v1/chat/completions`, { model: 'qwen-max', messages: [user, call, user] })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Empty tool_calls is not supported')])
    expect((await post(`${url}/v1/chat/completions`, { model: 'qwen-max', messages: [user] })).status).toBe(200)
    expect((await stop('SIGINT')).code).toBe(0)
  })

  test('[C30] it stops with requests under way', async () => {
    const { url, stop } = await serving('--mode', 'slow:60000')
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    const waiting = post(`${url}/v1/messages`, healthy).catch(() => 'ended')
    await once(socket, 'connect')
    const { code } = await stop()
    expect([code, await waiting]).toEqual([0, 'ended'])
  })

  test('[C50] answers what a script says: JSON, or a module', async () => {
    const tools = [{ name: 'weather', input_schema: { type: 'object' } }]
    const call = { name: 'weather', input: { city: 'Lisbon' } }
    const list = JSON.stringify([{ calls: [call] }, 'It is sunny.'])
    const model = `export default ({ tools }) => (tools.length > 0 ? { calls: [${JSON.stringify(call)}] } : 'It is sunny.')`
    const typed = `import type { IncomingMessage } from 'node:http'\n${model.replace('tools }', 'tools }: { tools: string[] }')}`
    for (const [name, text] of [
      ['replies.json', list],
      ['replies.mjs', `export default ${list}`],
      ['model.mjs', model],
      ['model.ts', typed],
    ]) {
      const { url, stop } = await serving('--script', `${folder({ [name]: text })}/${name}`)
      const first = await post(`${url}/v1/messages`, { ...healthy, tools })
      expect(JSON.parse(first.text).content, name).toMatchObject([{ type: 'tool_use', ...call }])
      const second = await post(`${url}/v1/messages`, healthy)
      expect(JSON.parse(second.text).content, name).toMatchObject([{ type: 'text', text: 'It is sunny.' }])
      expect((await stop()).code).toBe(0)
    }
  })

  test('[C31] nothing of a request reaches the terminal as it is', async () => {
    const { url, stop } = await serving()
    await post(`${url}/mistral/v1/chat/completions`, { model: '\u001b[31m\nx', messages: [] })
    expect(lines((await stop()).stderr)).toEqual([
      '400 POST /mistral/v1/chat/completions  mistral \\u001b[31m\\nx  mi-empty: Conversation must have at least one message',
    ])
  })
})

describe.concurrent('strict, without serving', () => {
  test('[C32] lists every fact, by provider', async () => {
    const { code, stdout } = await antiphon(['strict', '--list'])
    expect(code).toBe(0)
    const flat = stdout.replace(/\s+/g, ' ')
    for (const { id, evidence, rule, words = '', sources, rejects: refuses, reason } of listFacts()) {
      const state = { always: 'rejected', pedantic: 'rejected only with --pedantic', never: `not simulated: ${reason}` }
      expect(flat, id).toContain(
        [`${id} ${evidence} ${state[refuses]}`, rule, words, ...sources].filter(Boolean).join(' ').replace(/\s+/g, ' '),
      )
    }
    const titles = lines(stdout).filter(line => !line.startsWith(' '))
    expect(titles).toEqual(expect.arrayContaining(['openai, azure', 'anthropic', 'mistral', 'bedrock']))
    expect(new Set(titles).size).toBe(titles.length)
  })

  test('[C32] lists every fact for programs', async () => {
    const { code, stdout } = await antiphon(['strict', '--list', '--json'])
    expect(code).toBe(0)
    const listed: ListedFact[] = JSON.parse(stdout)
    expect(listed).toEqual(JSON.parse(JSON.stringify(listFacts())))
    expect(listed.find(({ id }) => id === 'mi-order')).toEqual({
      id: 'mi-order',
      rule: expect.stringContaining('Allowed next roles'),
      words: "`Unexpected role '{current}' after role '{previous}'`",
      evidence: 'S',
      sources: expect.arrayContaining(['https://github.com/charmbracelet/crush/issues/279']),
      rejects: 'always',
      providers: ['mistral'],
    })
    for (const { id, providers: owners, rejects: refuses, reason } of listed) {
      expect(owners.length, `${id} belongs to nobody`).toBeGreaterThan(0)
      for (const owner of owners) expect(providerNames, id).toContain(owner)
      expect(reason === undefined, id).toBe(refuses !== 'never')
    }
  })

  test('[C33] a wrong name, port or mode is one line', async () => {
    const wrong = (...args: string[]) => antiphon(['strict', ...args])
    const outcomes = await Promise.all([
      wrong('--provider', 'mistrl'),
      wrong('--port', '70000'),
      wrong('--port', '-1'),
      wrong('--mode', 'slow:soon'),
      wrong('--host', '0.0.0.0'),
      wrong('--json'),
    ])
    expect(outcomes.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2])
    expect(outcomes.map(({ stdout }) => stdout)).toEqual([
      ...['', '', '', '', ''],
      '{"error":{"code":"wrong-option","message":"--json needs --list","hint":"use antiphon strict --list --json"}}\n',
    ])
    expect(outcomes.map(({ stderr }) => lines(stderr).length)).toEqual([1, 1, 1, 1, 1, 1])
    expect(outcomes[0].stderr).toMatch(/^antiphon: unknown provider "mistrl" \(did you mean mistral\? one of: openai,/)
    expect(outcomes[1].stderr).toBe('antiphon: invalid port "70000" (use a number up to 65535; 0 is any free port)\n')
    expect(outcomes[3].stderr).toMatch(/^antiphon: unknown mode "slow:soon" \(one of: rate-limit, /)
    expect(outcomes[4].stderr).toMatch(/^antiphon: unknown host "0\.0\.0\.0" \(.*one of: 127\.0\.0\.1, ::1, localhost/)
    expect(outcomes[5].stderr).toBe('antiphon: --json needs --list (use antiphon strict --list --json)\n')
  })

  test.each([
    ['none.json', undefined, /none\.json: there is no such file$/],
    ['none.mjs', undefined, /none\.mjs: there is no such file$/],
    ['empty.json', '', /empty\.json: it is empty/],
    ['cut.json', '["Hello"', /cut\.json:1:9: /],
    ['object.json', '{"text":"Hello"}', /: the script must be a list of replies, got \{"text":"Hello"\} \(a script is/],
    ['number.json', '["Hello", 5]', /: reply 2: a reply must be a string or an object, got 5 \(/],
    ['call.json', '[{"calls":[{}]}]', /: reply 1: `name` of `calls\[0\]` of a reply must be a string, got undefined/],
    ['mode.json', '[{"fail":"soon"}]', /: reply 1: unknown mode 'soon' \(one of: rate-limit/],
    ['bare.mjs', 'export const script = []', /bare\.mjs: it has no default export \(a script is/],
    ['text.mjs', 'export default "Hello"', /: the script must be a list of replies, got Hello/],
    ['syntax.mjs', 'export default [', /syntax\.mjs: it cannot be loaded \(Unexpected end of input\)/],
    ['throws.mjs', 'throw new Error("no\\nnever")', /throws\.mjs: it cannot be loaded \(no\)$/],
  ])('[C50] %s as a script is one line', async (name, text, words) => {
    const file = text === undefined ? `/nowhere/${name}` : `${folder({ [name]: text })}/${name}`
    const { code, stdout, stderr } = await antiphon(['strict', '--script', file])
    expect([code, stdout, lines(stderr).length]).toEqual([2, '', 1])
    expect(stderr.trim()).toMatch(words)
  })

  test('[C33] a port in use is one line', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const outcome = await antiphon(['strict', '--port', String(port)])
    server.close()
    expect(outcome).toEqual({
      code: 2,
      stdout: '',
      stderr: `antiphon: port ${port} is in use (omit --port to use any free port)\n`,
    })
  })

  test('the help names every provider', () => {
    expect(providerNames).toEqual(providers.map(({ id }) => id))
  })
})
