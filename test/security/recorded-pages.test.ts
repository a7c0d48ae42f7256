import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createRecorder } from '../../src/apps/cli/commands/strict-record.ts'
import { startStrict } from '../../src/strict/index.ts'
import { inFolder } from '../doctor/contract.ts'

const body = JSON.stringify({ model: 'some-model', messages: [{ role: 'user', content: 'Hello.' }] })

async function statusOf(port: number, headers: Record<string, string>): Promise<number | undefined> {
  const sent = request({ port, host: '127.0.0.1', path: '/v1/chat/completions', method: 'POST', headers }).end(body)
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

test('[SE246] a web page of another origin reaches no real API through strict --record, and writes to no recording', () =>
  inFolder(async folder => {
    const file = join(folder, 'replies.json')
    await using api = await startStrict()
    const recorder = createRecorder(file, api.url)
    await using strict = await startStrict({ script: recorder.reply })
    recorder.begin()
    const pages: Record<string, string>[] = [
      { origin: 'https://evil.example', 'content-type': 'text/plain' },
      { origin: 'https://evil.example', 'content-type': 'application/json' },
      { origin: 'null', 'content-type': 'text/plain' },
      { 'sec-fetch-site': 'cross-site' },
      { host: 'evil.com', 'content-type': 'application/json' },
    ]
    for (const headers of pages) expect(await statusOf(strict.port, headers)).toBe(500)
    expect(api.requests).toEqual([])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([])
    expect(await statusOf(strict.port, { 'content-type': 'application/json' })).toBe(200)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(1)
  }))

test('[SE298] strict --record gives up an answer that does not end', () =>
  inFolder(async folder => {
    const file = join(folder, 'replies.json')
    const closed = new Promise<void>(resolve => {
      api.on('request', (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const piece = Buffer.alloc(2 ** 20, 32)
        const write = (): void => {
          while (!response.destroyed && response.write(piece));
        }
        response
          .on('drain', write)
          .on('error', () => {})
          .on('close', resolve)
        write()
      })
    })
    api.listen(0, '127.0.0.1')
    await once(api, 'listening')
    const recorder = createRecorder(file, `http://127.0.0.1:${(api.address() as AddressInfo).port}`)
    await using strict = await startStrict({ script: recorder.reply })
    recorder.begin()
    expect(await statusOf(strict.port, { 'content-type': 'application/json' })).toBe(500)
    await closed
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([])
  }))

const api = createServer()
afterAll(() => void api.close())
