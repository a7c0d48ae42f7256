import { Agent, request as httpRequest } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { Random } from '../../laws/random.ts'
import { brokenBody, chatPath, healthyBody } from '../fetch/requests.ts'
import type { Holdings } from './proxy-process.ts'
import { serveApart } from './serve-apart.ts'
import { metric, upstream } from './serving.ts'

export interface Outcome {
  readonly whole: number
  readonly cut: number
  /** What the proxy held after a tenth of the streams, and after all of them. */
  readonly before: Holdings
  readonly after: Holdings
  readonly inFlight: number
}

/**
 * Streams through a proxy in another process, each cut at a random moment by the provider, by the client, or by nobody: before the
 * head, between words, in the middle of the request.
 */
export async function cutStreams(count: number, concurrency: number, seed: number): Promise<Outcome> {
  const {
    url: to,
    sockets,
    closeIdle,
  } = await upstream(async (request, response) => {
    const random = new Random(Number(request.headers['x-seed']))
    const words = random.int(12)
    const end = endOf(random)
    request.on('error', () => {}).resume()
    response.on('error', () => {})
    if (end === 'reset' && words < 3) return request.socket.resetAndDestroy()
    response.writeHead(random.chance(0.1) ? 400 : 200, { 'content-type': 'text/event-stream' })
    for (let word = 0; word < words && !response.destroyed; word++) {
      response.write(`data: ${'word '.repeat(random.int(400))}\n\n`)
      if (random.chance(0.3)) await new Promise(resolve => setImmediate(resolve))
    }
    if (end === 'whole') return response.end()
    if (end === 'cut') return response.destroy()
    if (end === 'reset') return request.socket.resetAndDestroy()
    // The client goes in the end.
  })
  const { url, hold } = await serveApart(to)
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  onTestFinished(() => agent.destroy())

  let [next, whole] = [0, 0]
  const work = async (until: number): Promise<void> => {
    while (next < until) {
      const isWhole = await stream(url, seed + next++, agent)
      whole += Number(isWhole)
    }
  }
  const run = (until: number) => Promise.all(Array.from({ length: concurrency }, () => work(until)))
  const settled = async (): Promise<Holdings> => {
    await expect.poll(() => metric(url, 'in_flight'), { timeout: 120_000 }).toBe(0)
    agent.destroy()
    // What is still in use stays, and is seen.
    const busy = () => {
      closeIdle()
      return sockets.size
    }
    await expect.poll(busy, { timeout: 120_000 }).toBe(0)
    await expect.poll(async () => (await hold()).sockets, { timeout: 120_000 }).toBeLessThanOrEqual(2)
    return hold()
  }
  await run(Math.ceil(count / 10))
  const before = await settled()
  await run(count)
  const after = await settled()
  return { whole, cut: count - whole, before, after, inFlight: await metric(url, 'in_flight') }
}

const endOf = (random: Random) => random.pick(['whole', 'whole', 'reset', 'cut', 'silent'] as const)

/** Whether the answer came whole. Cuts it at a random moment, or not. */
async function stream(url: string, seed: number, agent: Agent): Promise<boolean> {
  const random = new Random(seed ^ 0x5eed)
  const body = random.pick([brokenBody, healthyBody])
  const path = random.pick([chatPath, chatPath, '/v1/files'])
  const headers = { 'x-seed': String(seed), 'content-length': Buffer.byteLength(body) }
  const asking = httpRequest(url + path, { method: 'POST', headers, agent })
  return new Promise(resolve => {
    let isWhole = false
    // A provider that falls silent is left after a while.
    const planned = new Random(seed)
    planned.int(12)
    const patience = setTimeout(() => asking.destroy(), endOf(planned) === 'silent' ? 100 : 120_000)
    asking.on('error', () => {})
    asking.on('close', () => {
      clearTimeout(patience)
      resolve(isWhole)
    })
    const moment = random.pick(['never', 'never', 'body', 'head', 'word'] as const)
    asking.on('response', response => {
      response.on('error', () => {})
      response.on('end', () => {
        isWhole = true
      })
      let left = moment === 'word' ? random.int(6) : Number.POSITIVE_INFINITY
      response.on('data', () => {
        if (left-- <= 0) asking.destroy()
      })
      if (moment === 'head') asking.destroy()
    })
    if (moment === 'body') asking.write(body.slice(0, 20), () => asking.destroy())
    else asking.end(body)
  })
}
