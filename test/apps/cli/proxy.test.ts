import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { baseUrls } from '../../../src/apps/cli/commands/proxy-greeting.ts'
import { failures as demo } from '../../../src/apps/demo-failures.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { brokenBody, chatPath, healthyBody, post } from '../../integrations/fetch/requests.ts'
import { tcpUpstream, upstream } from '../../integrations/proxy/serving.ts'
import { Random } from '../../laws/random.ts'
import { programFile } from '../../programs.ts'
import { antiphon, folder, lines } from './program.ts'

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** The program, serving. */
async function serving(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [programFile('antiphon'), 'proxy', '--port', '0', ...args], {
    env: { ...process.env, ...env },
  })
  children.push(child)
  const ended = once(child, 'close')
  const heard = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    heard.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    heard.stderr += chunk
  })
  await expect
    .poll(() => heard.stdout + heard.stderr, { timeout: 60_000 })
    .toMatch(/_BASE_URL=.*\n\n|"start".*\n|antiphon: /)
  const [url = ''] = /http:\/\/127[\d.]+:\d+/.exec(heard.stdout) ?? []
  return {
    ...{ child, heard, url, ended },
    /** Tells it to stop, and waits for that. */
    async stop(signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM') {
      child.kill(signal)
      return { code: (await ended)[0], ...heard }
    },
  }
}

describe('proxy', () => {
  test('[PX27] says where it listens and which variable to set, heals, tells of it in one line, and stops when told to', async () => {
    await using strict = await startStrict()
    const { url, heard, stop } = await serving(['--to', strict.url])
    expect(lines(heard.stdout)).toEqual([
      `Listening on ${url}, repairing and forwarding to ${strict.url}. Press Ctrl+C to stop.`,
      `  OPENAI_BASE_URL=${url}/v1`,
      `  ANTHROPIC_BASE_URL=${url}`,
    ])
    for (const { for: reader, request, history } of demo) {
      const body = JSON.stringify({ ...request.body, messages: history })
      expect((await fetch(`${url}/${reader}${request.path}`, post(body))).status).toBe(200)
    }
    await fetch(url + chatPath, post(healthyBody))
    const { code, stderr } = await stop()
    expect(code).toBe(0)
    expect(lines(stderr)).toEqual([
      'healed openai-chat for openai  orphan-result 1',
      'healed openai-chat for openai  interleaved-message 1',
      'healed anthropic for anthropic  interleaved-message 1',
      'healed openai-chat for qwen-template  system-not-first 1',
      'healed anthropic for anthropic  duplicate-result 1',
    ])
  })

  test.each(['', '/', '/v1', '/v1/', '/openai', '/openai/v1', '/anthropic', '/anthropic/v1'])(
    '[PX38] every variable leads its client to the provider: upstream with the path "%s"',
    async path => {
      await using strict = await startStrict()
      const { heard, stop } = await serving(['--to', strict.url + path])
      const printed = [...heard.stdout.matchAll(/ (OPENAI|ANTHROPIC)_BASE_URL=(\S+)/g)]
      expect(printed.length).toBeGreaterThan(0)
      const user = { role: 'user', content: 'Hi.' }
      const clients: Record<string, [string, object]> = {
        OPENAI: ['/chat/completions', { model: 'gpt-5.5', messages: [user] }],
        ANTHROPIC: ['/v1/messages', { model: 'claude-opus-4-5', max_tokens: 9, messages: [user] }],
      }
      for (const [, client, base] of printed) {
        const [added, body] = clients[client]
        expect([client, (await fetch(base + added, post(JSON.stringify(body)))).status]).toEqual([client, 200])
      }
      await stop()
    },
  )

  test('[PX27] several upstreams, lines for programs, a dry run', async () => {
    await using strict = await startStrict()
    const to = ['--to', `openai=${strict.url}/v1`, '--to', `anthropic=${strict.url}`]
    const { url, stop } = await serving([...to, '--json', '--dry-run'])
    expect((await fetch(`${url}/openai/chat/completions`, post(brokenBody))).status).toBe(400)
    expect((await fetch(`${url}/nobody`)).status).toBe(404)
    const { stdout, stderr } = await stop('SIGINT')
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    expect(lines(stdout).map(line => JSON.parse(line))).toEqual([
      { at, event: 'start', url, to: { openai: `${strict.url}/v1`, anthropic: strict.url } },
      {
        ...{ at, event: 'repair', route: 'openai', format: 'openai-chat', dialect: 'openai' },
        ...{ repairs: { 'unanswered-call': 1 }, dryRun: true },
      },
      { at, event: 'error', status: 404, kind: 'no-route', message: 'the path does not name an upstream' },
    ])
    expect(stderr).toBe('')
  })

  test('[PX27] --quiet says nothing of requests', async () => {
    await using strict = await startStrict()
    const { url, stop } = await serving(['--to', strict.url, '--quiet'])
    expect((await fetch(url + chatPath, post(brokenBody))).status).toBe(200)
    expect((await stop()).stderr).toBe('')
  })

  test('[PX28] told to stop, it lets a stream end, and takes no new request', async () => {
    let finish = (): void => {}
    const { url: to } = await upstream((request, response) => {
      request.resume()
      response.write('one ')
      finish = () => response.end('two')
    })
    const { url, child, ended } = await serving(['--to', to])
    const response = await fetch(url + chatPath, post(brokenBody))
    const reader = response.body?.getReader()
    await reader?.read()
    child.kill('SIGTERM')
    await expect.poll(() => fetch(`${url}/healthz`).catch(() => 'refused')).toBe('refused')
    finish()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('two')
    expect((await reader?.read())?.done).toBe(true)
    expect((await ended)[0]).toBe(0)
  })

  test.each([
    ['after its grace', ['--grace', '0.2'], 1],
    ['at once, told again', ['--grace', '600'], 2],
  ] as const)('[PX28] told to stop, it ends requests under way %s', async (_, args, times) => {
    const { url: to } = await upstream((request, response) => {
      request.resume()
      response.write('one ')
    })
    const { url, child, ended } = await serving(['--to', to, ...args])
    const response = await fetch(url + chatPath, post(brokenBody))
    child.kill('SIGINT')
    await expect.poll(() => fetch(`${url}/healthz`).catch(() => 'refused')).toBe('refused')
    if (times === 2) child.kill('SIGINT')
    await expect(response.text()).rejects.toThrow()
    expect((await ended)[0]).toBe(0)
  })

  test('[PX29] --record writes a tape that its owner alone can read, hidden unless --no-redact; ANTIPHON_TAPE does the same', async () => {
    await using strict = await startStrict()
    const file = join(folder(), 'chat.tape')
    const runs: [args: string[], env: Record<string, string>, isHidden: boolean][] = [
      [['--record', file], {}, true],
      [[], { ANTIPHON_TAPE: `${file}2` }, true],
      [['--record', `${file}3`, '--no-redact'], {}, false],
    ]
    for (const [index, [args, env, isHidden]] of runs.entries()) {
      const { url, stop } = await serving(['--to', strict.url, ...args], env)
      await (await fetch(url + chatPath, post(brokenBody))).text()
      await stop()
      const path = index === 0 ? file : `${file}${index + 1}`
      const tape = readFileSync(path, 'utf8')
      expect(lines(tape).map(line => JSON.parse(line).kind)).toEqual(['tape', 'request', 'repair', 'response'])
      expect(tape.includes('Are you there?')).toBe(!isHidden)
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }
    const { code, stdout } = await antiphon(['tape', 'show', file])
    expect([code, stdout]).toEqual([1, expect.stringContaining('repaired')])
  })
})

describe('secrets', () => {
  test('[PX30] nothing of a request is in the log, the metrics or a redacted tape', async () => {
    await using strict = await startStrict()
    const { url: down, close } = await tcpUpstream(() => {})
    await close()
    const { url: garbage } = await tcpUpstream(socket => socket.on('data', data => socket.end(data)))
    const file = join(folder(), 'secrets.tape')
    const to = Object.entries({ openai: strict.url, anthropic: strict.url, down, garbage })
    const { url, heard, stop } = await serving([
      ...to.flatMap(([name, base]) => ['--to', `${name}=${base}`]),
      ...['--record', file, '--timeout', '5', '--body-limit', '0.02'],
    ])
    const secrets: string[] = []
    const random = new Random(30)
    const secret = (): string => {
      const made = `s3cr3t${random.int(1e9).toString(36)}x${random.int(1e9).toString(36)}`
      secrets.push(made)
      return made
    }
    for (let time = 0; time < 60; time++) {
      const route = random.pick(['openai', 'openai', 'anthropic', 'down', 'garbage', secret()])
      const path = random.pick([chatPath, '/v1/messages', '/v1/responses', `/v1/${secret()}`])
      const history = secretHistory(path, secret, random)
      const body = random.chance(0.1)
        ? secret()
        : JSON.stringify({ ...history, metadata: { a: secret() }, user: secret() })
      const padded = random.chance(0.1) ? body + ' '.repeat(30_000) : body
      const headers = {
        authorization: `Bearer ${secret()}`,
        'x-api-key': secret(),
        cookie: `a=${secret()}`,
        [`x-${secret()}`]: secret(),
        'content-type': 'application/json',
      }
      await fetch(`${url}/${route}${path}?key=${secret()}&${secret()}=1`, post(padded, { headers })).then(
        response => response.text(),
        () => undefined,
      )
    }
    const metrics = await (await fetch(`${url}/metrics`)).text()
    const { stderr } = await stop()
    const tape = readFileSync(file, 'utf8')
    expect(lines(tape).length).toBeGreaterThan(30)
    expect(lines(stderr).length).toBeGreaterThan(20)
    expect(metrics).toMatch(/antiphon_proxy_repairs_total{.*} \d/)
    for (const [name, text] of Object.entries({ stderr, metrics, tape, stdout: heard.stdout }))
      expect(
        secrets.filter(secret => text.includes(secret)),
        name,
      ).toEqual([])
  })
})

/** A broken history with a secret wherever somebody says something. */
function secretHistory(path: string, secret: () => string, random: Random): object {
  const id = `call_${random.int(1e6)}`
  if (path === '/v1/messages')
    return {
      model: 'claude-opus-4-6',
      max_tokens: 9,
      system: secret(),
      messages: [
        { role: 'user', content: secret() },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: secret() },
            { type: 'tool_use', id, name: 'run', input: { a: secret() } },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: secret() }] },
      ],
    }
  if (path === '/v1/responses')
    return {
      model: 'gpt-5',
      instructions: secret(),
      input: [
        { role: 'user', content: secret() },
        { type: 'function_call', call_id: id, name: 'run', arguments: JSON.stringify({ a: secret() }) },
        { role: 'user', content: [{ type: 'input_text', text: secret() }] },
      ],
    }
  return {
    model: 'gpt-5',
    messages: [
      { role: 'user', content: secret(), name: random.chance(0.5) ? 'someone' : undefined },
      {
        role: 'assistant',
        content: secret(),
        tool_calls: [
          {
            id,
            type: 'function',
            function: { name: 'run', arguments: random.pick([`{"a":"${secret()}"}`, secret()]) },
          },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: secret() },
          { type: 'image_url', image_url: { url: `https://a.example/${secret()}` } },
        ],
      },
    ],
  }
}

describe.concurrent('proxy, without serving', () => {
  test('[PX31] a wrong option is one line and exit code 2', async () => {
    const to = ['--to', 'https://a.example']
    const cases: [args: string[], words: RegExp][] = [
      [[], /required option '--to <url>' not specified/],
      [['--to', 'a.example'], /an upstream must be a URL: "a\.example" \(a URL begins with http:\/\/ or https:\/\//],
      [[...to, '--to', 'https://b.example'], /each of several upstreams needs a name/],
      [['--to', 'a=https://a.example', '--to', 'a=https://b.example'], /two upstreams are named "a"/],
      [[...to, '--port', '70000'], /invalid port "70000"/],
      [
        [...to, '--host', '0.0.0.0'],
        /other machines could reach the proxy at 0\.0\.0\.0 \(to allow that, add --allow-remote/,
      ],
      [[...to, '--for', 'mistrl'], /unknown dialect "mistrl" \(did you mean mistral\?/],
      [[...to, '--timeout', 'soon'], /invalid value "soon" of --timeout/],
      [[...to, '--body-limit', '0'], /invalid value "0" of --body-limit/],
      [[...to, '--record', '/nowhere/at/all'], /\/nowhere\/at\/all: its folder does not exist/],
      [
        [...to, '--host', '203.0.113.7', '--allow-remote', '--port', '0'],
        /203\.0\.113\.7.*EADDRNOTAVAIL|EADDRNOTAVAIL/,
      ],
    ]
    const outcomes = await Promise.all(cases.map(([args]) => antiphon(['proxy', ...args])))
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect([code, stdout, lines(stderr).length], cases[index][0].join(' ')).toEqual([2, '', 1])
      expect(stderr).toMatch(/^antiphon: /)
      expect(stderr).toMatch(cases[index][1])
    }
  })

  test('[PX31] a port in use is one line', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const outcome = await antiphon(['proxy', '--to', 'https://a.example', '--port', String(port)])
    server.close()
    const stderr = `antiphon: port ${port} is in use (choose another port; 0 picks a free one)\n`
    expect(outcome).toEqual({ code: 2, stdout: '', stderr })
  })

  test('[PX27] the variables are those of the upstreams, with the path that their clients add to', () => {
    const at = 'http://127.0.0.1:8377'
    expect(baseUrls(at, 'https://api.openai.com')).toEqual([`OPENAI_BASE_URL=${at}/v1`])
    expect(baseUrls(at, 'https://api.openai.com/v1')).toEqual([`OPENAI_BASE_URL=${at}`])
    expect(baseUrls(at, { openai: 'http://gateway/v1/', anthropic: 'https://a.example' })).toEqual([
      `OPENAI_BASE_URL=${at}/openai`,
      `ANTHROPIC_BASE_URL=${at}/anthropic`,
    ])
    const compatible = 'https://generativelanguage.googleapis.com/v1beta/openai/'
    expect(baseUrls(at, compatible)).toEqual([`OPENAI_BASE_URL=${at}`])
    expect(baseUrls(at, 'https://api.deepseek.com/anthropic')).toEqual([`ANTHROPIC_BASE_URL=${at}`])
    expect(baseUrls(at, 'http://gateway/v1')).toEqual([`OPENAI_BASE_URL=${at}`, `ANTHROPIC_BASE_URL=${at}`])
  })
})
