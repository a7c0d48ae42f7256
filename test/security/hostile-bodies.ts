/**
 * What the worst bodies cost the proxy. `node test/security/hostile-bodies.ts [MEGABYTES]` prints a table: the memory of the proxy
 * beyond what it took before, as a multiple of the body, and how other requests were served meanwhile.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { programFile } from '../programs.ts'

const chat = (messages: string): string => `{"model":"gpt-4.1","messages":[${messages}]}`
const times = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length))
const call =
  '{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},'
const user = '{"role":"user","content":"x"}'

/** Bodies of about so many bytes that cost far more than they are long. */
export const bodies: Readonly<Record<string, (bytes: number) => string>> = {
  numbers: bytes => chat(`${times('1,', bytes)}1`),
  'empty objects': bytes => chat(`${times('{},', bytes)}{}`),
  'a list': bytes => `[${times('{},', bytes)}{}]`,
  'results alone': bytes => chat(`${times('{"role":"tool"},', bytes)}${user}`),
  'short messages': bytes => chat(`{"role":"tool","content":"a"},${times(`${user},`, bytes)}${user}`),
  parts: bytes => chat(`{"role":"user","content":[${times('1,', bytes)}1]}`),
  nesting: bytes => `{"messages":${times('[', bytes / 2)}${times(']', bytes / 2)}}`,
  'open calls': bytes => chat(`${times(call, bytes)}${user}`),
  'empty texts': bytes => chat(`{"role":"user","content":["${times('","', bytes)}"]}`),
  'one long text': bytes => chat(`{"role":"tool","content":"a"},{"role":"user","content":"${times('word ', bytes)}"}`),
}

export interface Cost {
  readonly status: number | string
  /** What the upstream received, if it was not what was sent. */
  readonly changed: boolean
  /** Peak memory beyond that before, as a multiple of the body. */
  readonly memory: number
  /** Other requests that were answered meanwhile, and the longest that one of them took. */
  readonly served: number
  readonly longestMs: number
}

/** Sends one body to a proxy in a process of its own, or the same one compressed, so many times at once. */
export async function costOf(make: (bytes: number) => string, bytes: number, packedTimes?: number): Promise<Cost> {
  const body = Buffer.from(make(bytes))
  const encoding: Record<string, string> = packedTimes === undefined ? {} : { 'content-encoding': 'gzip' }
  const sent = packedTimes === undefined ? body : gzipSync(body)
  let isSame = true
  const upstream = createServer({ keepAliveTimeout: 65_000 }, (incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', chunk => chunks.push(chunk))
    incoming.on('end', () => {
      const received = Buffer.concat(chunks)
      if (received.length > 1000) isSame = received.equals(body)
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const to = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const proxy = spawn(process.execPath, [programFile('proxy-process'), to], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  try {
    const url = await new Promise<string>(resolve => proxy.once('message', resolve))
    const small = Buffer.from(chat(user))
    await post(url, small)
    const before = peakBytes(proxy.pid)
    let status: number | string | undefined
    const all = Array.from({ length: packedTimes ?? 1 }, () => post(url, sent, encoding))
    const answered = Promise.all(all).then(
      codes => (status = codes.find(code => code !== 200) ?? 200),
      error => (status = error.code),
    )
    let [served, longestMs] = [0, 0]
    while (status === undefined) {
      const start = performance.now()
      const code = await post(url, small).catch(() => undefined)
      if (code === 200) served++
      longestMs = Math.max(longestMs, performance.now() - start)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    await answered
    const memory = (peakBytes(proxy.pid) - before) / body.length
    return { status, changed: !isSame, memory, served, longestMs }
  } finally {
    proxy.kill()
    upstream.close()
  }
}

/** The most memory that a process had at once; undefined numbers where the system does not say. */
export function peakBytes(pid: number | undefined): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return line ? Number(line[1]) * 1024 : Number.NaN
}

function post(url: string, body: Buffer, more: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length, ...more }
    const sent = request(`${url}/v1/chat/completions`, { method: 'POST', headers }, response => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

if (process.argv[1] === import.meta.filename) {
  const megabytes = Number(process.argv[2] ?? 20)
  for (const [name, make] of Object.entries(bodies)) {
    const { status, memory, served, longestMs } = await costOf(make, megabytes * 2 ** 20)
    console.log(
      `${name.padEnd(16)} ${megabytes} MB: ${status}, memory ${memory.toFixed(1)} times the body, ${served} others served, the slowest in ${longestMs.toFixed(0)} ms`,
    )
  }
}
