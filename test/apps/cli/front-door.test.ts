import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { programFile } from '../../programs.ts'
import { series } from '../unwrap/kinds.ts'
import { healthy, json, jsonl, unanswered } from './histories.ts'
import { antiphon, folder, lines } from './program.ts'

const user = (content: string): object => ({ role: 'user', content })
const request = (messages: unknown): object => ({ model: 'gpt-5', messages })
const curl = `curl 'https://user:sk-SECRET@api.mistral.ai/v1/chat/completions?key=sk-SECRET' -H 'Authorization: Bearer sk-SECRET' -d '${json(request(unanswered))}'\n`
const har = json({
  log: {
    entries: [unanswered, healthy].map(messages => ({
      request: {
        url: 'https://api.openai.com/v1/chat/completions?key=sk-SECRET',
        headers: [{ name: 'authorization', value: 'sk-SECRET' }],
        postData: { text: json(request(messages)) },
      },
    })),
  },
})
const batch = [unanswered, healthy, unanswered].map((messages, index) => ({
  custom_id: `request-${index}`,
  ...{ method: 'POST', url: '/v1/chat/completions', body: request(messages) },
}))

describe.concurrent('what people have', () => {
  test('[C170] --pick of a file with one history is that history, or an error', async () => {
    const input = JSON.stringify([{ role: 'user', content: 'hi' }])
    expect((await antiphon(['check', '--pick', '1'], { input })).code).toBe(0)
    const { code, stderr } = await antiphon(['check', '--pick', '7'], { input })
    expect([code, stderr]).toEqual([2, 'antiphon: <stdin>: nothing at "7": it has only one history (omit --pick)\n'])
  })

  test('[C100] check, heal and shrink say in one line what they took the request out of', async () => {
    const cwd = folder({ 'curl.sh': curl })
    const [checked, healed, shrunk] = await Promise.all([
      antiphon(['check', 'curl.sh'], { cwd }),
      antiphon(['heal', 'curl.sh'], { cwd }),
      antiphon(['shrink', 'curl.sh'], { cwd }),
    ])
    const said = 'curl.sh: taken out of a curl command, sent to api.mistral.ai/v1/chat/completions'
    expect(lines(checked.stdout)[0]).toBe(said)
    expect(lines(healed.stderr)[0]).toBe(`${said}; the output is its JSON`)
    expect(lines(shrunk.stderr)).toContain(said)
    expect([checked.code, healed.code, shrunk.code]).toEqual([1, 0, 0])
  })

  test('[C101] the URL names the provider, unless --for does', async () => {
    const [found, given] = await Promise.all([
      antiphon(['check', '--json'], { input: curl }),
      antiphon(['check', '--json', '--for', 'openai'], { input: curl }),
    ])
    expect(JSON.parse(found.stdout)).toMatchObject({ file: '-', from: 'a curl command', at: '', for: 'mistral' })
    expect(JSON.parse(given.stdout)).toMatchObject({ for: 'openai' })
  })

  test('[C102] no header, query or user name is printed', async () => {
    const commands = [
      ['check'],
      ['check', '--json'],
      ['check', '--for', 'all'],
      ['heal', '--dry-run'],
      ['shrink'],
      ['heal'],
    ]
    const outcomes = await Promise.all(commands.flatMap(args => [curl, har].map(input => antiphon(args, { input }))))
    for (const { stdout, stderr } of outcomes) {
      expect(stdout + stderr).not.toContain('SECRET')
    }
  })

  test('[C190] records are printed without the values of secret headers', async () => {
    const headers = { Authorization: 'Bearer sk-SECRET', 'x-api-key': ['sk-SECRET'], 'Content-Type': 'text/plain' }
    const pairs = [
      { name: 'Set-Cookie', value: 'SECRET' },
      ['x-goog-api-key', 'SECRET'],
      { key: 'X-Amz-Security-Token', value: { stringValue: 'SECRET' } },
    ]
    const said = [user('What is {"headers":{"authorization":"Bearer mine"}}?'), ...unanswered.slice(1)]
    const record = {
      ...{ request: { headers, body: { ...request(said), extra_headers: headers } }, id: 12 },
      ...{ response: { headers: pairs, rawHeaders: ['cookie', 'SECRET', 'accept', 'text/html'] } },
      ...{ 'http.request.header.authorization': ['SECRET'], request_headers: 'Cookie: SECRET\r\nAccept: *' },
      ...{ text: json({ headers: { 'api-key': 'SECRET', via: '1.1 "kong"' } }) },
      ...{ attributes: [{ key: 'http.request.header.cookie', value: 'SECRET' }] },
    }
    const log = `${json(record)}\n{ "body" : ${json(request(healthy))}, "n": 1.50 }\n${json(record).slice(0, 60)}\n`
    const body = JSON.stringify({ ...request(said), headers }, null, 2)
    const cwd = folder({ 'gw.jsonl': log, 'body.json': body, 'one.json': json(record) })
    const error = 'messages: tool_call_ids did not have response messages: call_1'
    const commands = [
      ...[['heal'], ['heal', '--json'], ['check', '--json'], ['check']].map(args => [...args, 'gw.jsonl']),
      ...['body.json', 'one.json'].flatMap(file =>
        [
          ...[['heal'], ['trim', '--max-messages', '1'], ['trim', '--max-messages', '9'], ['shrink']],
          ...[
            ['convert', '--to', 'anthropic'],
            ['check', '--json'],
          ],
        ].map(args => [...args, file]),
      ),
      [
        'heal',
        'body.json',
        '--because',
        `An assistant message with 'tool_calls' must be followed by tool messages. ${error}`,
      ],
    ]
    const outcomes = await Promise.all(commands.map(args => antiphon(args, { cwd })))
    for (const [index, { stdout, stderr }] of outcomes.entries())
      expect([commands[index], stdout + stderr]).toEqual([commands[index], expect.not.stringContaining('SECRET')])
    const [healed, asJson] = outcomes
    const [first, second] = healed.stdout.split('\n')
    expect(second).toBe(log.split('\n')[1])
    expect(JSON.parse(first)).toMatchObject({
      request: { headers: { Authorization: '[redacted]', 'x-api-key': '[redacted]', 'Content-Type': 'text/plain' } },
      response: { rawHeaders: ['cookie', '[redacted]', 'accept', 'text/html'] },
      text: json({ headers: { 'api-key': '[redacted]', via: '1.1 "kong"' } }),
      id: 12,
    })
    expect(JSON.parse(first).request.body.messages[0]).toEqual(said[0])
    expect(lines(healed.stderr)).toContain('gw.jsonl: 13 secret headers printed as [redacted]')
    expect(lines(asJson.stderr).map(line => JSON.parse(line))).toContainEqual({ file: 'gw.jsonl', redactedHeaders: 13 })
    const whole = outcomes[4].stdout
    expect(whole.slice(whole.indexOf('"headers"'))).toBe(
      body
        .slice(body.indexOf('"headers": {\n'))
        .replace('"Bearer sk-SECRET"', '"[redacted]"')
        .replace(/\[\s*"sk-SECRET"\s*\]/, '"[redacted]"'),
    )
  })

  test('[C190] a file is rewritten with its headers, and tools of a request keep theirs', async () => {
    const headers = { authorization: 'Bearer sk-mine' }
    const log = `${json({ headers, body: request(unanswered) })}\n${json({ headers, body: request(healthy) })}\n`
    const cwd = folder({ 'gw.jsonl': log })
    const tools = [{ type: 'mcp', server_label: 'files', server_url: 'https://mcp.example', headers }]
    const input = json({ model: 'gpt-5', input: [user('Hello.')], tools })
    const [written, kept] = await Promise.all([
      antiphon(['heal', '--write', 'gw.jsonl'], { cwd }),
      antiphon(['heal'], { input }),
    ])
    expect(written.stderr).not.toContain('redacted')
    expect(readFileSync(join(cwd, 'gw.jsonl'), 'utf8').match(/Bearer sk-mine/g)).toHaveLength(2)
    expect(kept.stdout).toBe(input)
  })

  test('[C103] several histories are listed, and --pick takes one', async () => {
    const input = json({ before: unanswered, after: healthy })
    const [many, picked, numbered, wrong] = await Promise.all([
      antiphon(['check'], { input }),
      antiphon(['check', '--pick', 'after'], { input }),
      antiphon(['heal', '--pick', '1'], { input }),
      antiphon(['check', '--pick', 'nowhere'], { input }),
    ])
    expect(many).toMatchObject({ code: 2, stdout: '' })
    expect(many.stderr).toBe(
      'antiphon: <stdin>: a record with 2 histories (choose one with --pick: "before" (3 messages), "after" (3 messages))\n',
    )
    expect(picked).toMatchObject({ code: 0, stderr: '' })
    expect(lines(picked.stdout)[0]).toBe('-: taken out of a record, after')
    expect(JSON.parse(numbered.stdout)).toHaveLength(4)
    expect(wrong.stderr).toMatch(/^antiphon: <stdin>: nothing at "nowhere" in a record \(there are "before"/)
  })

  test('[C104] each request of a series is judged, with one summary and the worst exit code', async () => {
    const { code, stdout, stderr } = await antiphon(['check'], { input: har })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('--> <stdin>, request 1  messages[1].tool_calls[0]')
    expect(lines(stdout).slice(-2)).toEqual([
      '<stdin>: 2 requests in a HAR: 1 healthy, 1 with errors',
      '2 calls, 1 result, 0 orphans, 1 unanswered',
    ])
    const [, input = ''] = series.find(([name]) => name === 'an export') ?? []
    const { stdout: objects } = await antiphon(['check', '--json'], { input })
    expect(lines(objects).map(line => JSON.parse(line).at)).toEqual(['conversations[0]', 'conversations[1]'])
  })

  test('[C105] each line of JSONL with requests is judged, also if one of them cannot be read', async () => {
    const cwd = folder({
      'batch.jsonl': `${jsonl(batch)}\n{"cut":\n{"status":"ready"}\n`,
      'tune.jsonl': jsonl([{ messages: healthy }]),
    })
    const { code, stdout, stderr } = await antiphon(['check', 'batch.jsonl', 'tune.jsonl'], { cwd })
    expect(code).toBe(2)
    expect(lines(stderr)).toEqual([
      'antiphon: batch.jsonl:5:8: expected a value but the text ends (one bracket is still open)',
    ])
    expect(stdout).toContain('--> batch.jsonl:3  messages[1].tool_calls[0]')
    expect(lines(stdout).slice(-5)).toEqual([
      'batch.jsonl: 3 requests in JSON lines: 1 healthy, 2 with errors, 1 line unreadable, 1 line without a history',
      'batch.jsonl: 3 calls, 1 result, 0 orphans, 2 unanswered',
      'tune.jsonl: 1 request in JSON lines: 1 healthy',
      'tune.jsonl: 1 call, 1 result, 0 orphans, 0 unanswered',
      'total of 2 files: 4 calls, 2 results, 0 orphans, 2 unanswered',
    ])
  })

  test('[C105] a long series prints 50 diagnostics, and the rest with --all', async () => {
    const input = jsonl(Array.from({ length: 60 }, () => request(unanswered)))
    const [some, all] = await Promise.all([antiphon(['check'], { input }), antiphon(['check', '--all'], { input })])
    expect(some.stdout.match(/^error\[/gm)).toHaveLength(50)
    expect(some.stdout).toContain('... and 10 more diagnostics; --all prints them')
    expect(all.stdout.match(/^error\[/gm)).toHaveLength(60)
  })

  test('[C106] what was taken out is healed as JSON, and never written into its file', async () => {
    const cwd = folder({ 'curl.sh': curl, 'trace.har': har })
    const [printed, written, many, picked] = await Promise.all([
      antiphon(['heal', 'curl.sh'], { cwd }),
      antiphon(['heal', '--write', 'curl.sh'], { cwd }),
      antiphon(['heal', 'trace.har'], { cwd }),
      antiphon(['heal', 'trace.har', '--pick', 'request 1'], { cwd }),
    ])
    expect(JSON.parse(printed.stdout).messages).toHaveLength(5)
    expect(written).toEqual({
      code: 2,
      stdout: '',
      stderr: 'antiphon: curl.sh: a curl command cannot be rewritten (omit --write to print the repaired request)\n',
    })
    expect(readFileSync(join(cwd, 'curl.sh'), 'utf8')).toBe(curl)
    expect(many).toMatchObject({ code: 2, stdout: '' })
    expect(many.stderr).toContain('--pick "request 1"')
    expect(JSON.parse(picked.stdout).messages).toHaveLength(4)
  })

  test('[C107] JSONL with requests stays JSONL, and untouched lines stay as they are', async () => {
    const text = `${jsonl([{ messages: unanswered }])}{ "messages" : ${json(healthy)}, "n": 1.50 }\r\n\n${json(batch[0])}`
    const cwd = folder({ 'tune.jsonl': text, 'bad.jsonl': `${text}\n{"cut":` })
    const [printed, written, bad] = await Promise.all([
      antiphon(['heal', '-'], { input: text }),
      antiphon(['heal', '--write', 'tune.jsonl'], { cwd }),
      antiphon(['heal', '--write', 'bad.jsonl'], { cwd }),
    ])
    const [first, second, blank, last] = printed.stdout.split('\n')
    expect([second, blank]).toEqual(text.split('\n').slice(1, 3))
    expect(JSON.parse(first).messages).toHaveLength(4)
    expect(JSON.parse(last)).toMatchObject({ custom_id: 'request-0', body: { model: 'gpt-5' } })
    expect(JSON.parse(last).body.messages).toHaveLength(4)
    expect(written).toMatchObject({ code: 0, stdout: '' })
    expect(lines(written.stderr).at(-1)).toBe(
      'tune.jsonl: 3 requests in JSON lines, 2 repairs, backup in tune.jsonl.bak',
    )
    expect(readFileSync(join(cwd, 'tune.jsonl'), 'utf8')).toBe(printed.stdout)
    expect(readFileSync(join(cwd, 'tune.jsonl.bak'), 'utf8')).toBe(text)
    expect(bad.code).toBe(2)
    expect(lines(bad.stderr).at(-1)).toContain('1 line unreadable; nothing was written')
    expect(readFileSync(join(cwd, 'bad.jsonl'), 'utf8')).toBe(`${text}\n{"cut":`)
  })

  test('[C109] JSONL with requests is read in the memory of a few lines', async () => {
    const args = ['--max-old-space-size=64', programFile('antiphon'), 'check']
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    child.stdout.on('data', chunk => out.push(chunk))
    const line = `${json(request([{ role: 'user', content: 'x'.repeat(2 ** 20) }]))}\n`
    for (let count = 0; count < 150; count++) if (!child.stdin.write(line)) await once(child.stdin, 'drain')
    child.stdin.end()
    const [code] = await once(child, 'close')
    expect({ code, said: lines(Buffer.concat(out).toString())[0] }).toEqual({
      code: 0,
      said: '<stdin>: 150 requests in JSON lines: 150 healthy',
    })
  })
})
