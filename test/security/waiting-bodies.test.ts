import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Endpoint, findEndpoint } from '../../src/integrations/fetch/endpoint.ts'
import { HealQueue, type LongBody, queueFull } from '../../src/integrations/proxy/heal-in-worker.ts'
import { chatPath, post } from '../integrations/fetch/requests.ts'
import { errorIn, metric, serve, upstream } from '../integrations/proxy/serving.ts'
import { bodies, costOf } from './hostile-bodies.ts'

const endpoint = findEndpoint(new URL(`https://api.openai.com${chatPath}`)) as Endpoint
const packed = (bytes: number): RequestInit =>
  post(gzipSync(bodies['one long text'](bytes)), { headers: { 'content-encoding': 'gzip' } })

describe('compressed requests at once', () => {
  test.runIf(process.platform === 'linux')('[SE80] many take hardly more memory than one', async () => {
    const { status, memory, served } = await costOf(bodies['one long text'], 8 * 2 ** 20, 12)
    // On a slow machine the last of them wait for too long.
    expect([200, 503]).toContain(status)
    expect(served).toBeGreaterThan(0)
    expect(memory).toBeLessThan(32)
  })

  test('[SE81] what they become is bounded while their provider takes its time: one more is 503, and may come later', async () => {
    const held: ServerResponse[] = []
    const mine = await upstream((request, response) => request.resume().on('end', () => held.push(response)))
    const { url, proxyErrors } = await serve({ to: mine.url, maxBytes: 2 ** 20 })
    const answers: Promise<Response>[] = []
    let turnedAway: Response | undefined
    while (!turnedAway && answers.length < 20) {
      const count = held.length
      const answer = fetch(url + chatPath, packed(900_000))
      answers.push(answer)
      turnedAway = await Promise.race([answer, untilMore(held, count)])
    }
    expect(held.length).toBeGreaterThanOrEqual(3)
    expect(held.length).toBeLessThanOrEqual(6)
    expect(turnedAway?.status).toBe(503)
    expect(turnedAway?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await errorIn(turnedAway as Response)).code).toBe('too-many')
    expect(proxyErrors.map(({ kind }) => kind)).toEqual(['too-many'])
    expect(await metric(url, 'unhealed_total')).toBe(0)

    for (const response of held) response.end('{}')
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses).toEqual([...statuses.slice(1).map(() => 200), 503])
    const count = held.length
    const later = fetch(url + chatPath, packed(900_000))
    await untilMore(held, count)
    held.at(-1)?.end('{}')
    expect((await later).status).toBe(200)
  })

  test('[SE81] with dryRun such a request goes on as it came', async () => {
    const held: ServerResponse[] = []
    const mine = await upstream((request, response) => request.resume().on('end', () => held.push(response)))
    const { url, errors } = await serve({ to: mine.url, maxBytes: 2 ** 20, dryRun: true })
    const answers: Promise<Response>[] = []
    for (let sent = 1; sent <= 8; sent++) {
      answers.push(fetch(url + chatPath, packed(900_000)))
      await untilMore(held, sent - 1)
    }
    for (const response of held) response.end('{}')
    for (const answer of answers) expect((await answer).status).toBe(200)
    expect(errors).toEqual([queueFull])
  })
})

describe('the queue of long bodies', () => {
  /** A body that unpacks when it is told to. */
  function held(bytes: number, unpacked = bytes) {
    let open = (): void => {}
    const isOpen = new Promise<void>(resolve => {
      open = resolve
    })
    const body = {
      bytes,
      isAway: false,
      asked: 0,
      isGone: () => body.isAway,
      async unpack() {
        body.asked++
        await isOpen
        return new TextEncoder().encode('{}'.padEnd(unpacked))
      },
    }
    return { body, open }
  }
  const heal = (queue: HealQueue, body: LongBody) => queue.heal(body, endpoint, {})

  test('[SE80] one is unpacked at a time, the shortest first, also if that shows only then', async () => {
    const queue = new HealQueue()
    const [first, bomb, long, short] = [held(50), held(10, 5000), held(900), held(100)]
    const ended: string[] = []
    const all = Object.entries({ first, bomb, long, short }).map(([name, { body }]) =>
      heal(queue, body).then(() => ended.push(name)),
    )
    expect([first, bomb, long, short].map(({ body }) => body.asked)).toEqual([1, 0, 0, 0])
    for (const { open } of [first, bomb, long, short]) open()
    await Promise.all(all)
    expect(ended).toEqual(['first', 'short', 'long', 'bomb'])
    expect(bomb.body.asked).toBe(2)
  })

  test('[SE81] the bytes that wait are bounded, by what they become as soon as that is known', async () => {
    const queue = new HealQueue({ bytesMax: 1000 })
    const [first, second, third] = [held(400), held(500), held(200)]
    const running = [heal(queue, first.body), heal(queue, second.body)]
    await expect(heal(queue, third.body)).rejects.toBe(queueFull)
    for (const { open } of [first, second, third]) open()
    await Promise.all(running)
    await heal(queue, third.body)
    const bomb = held(10, 2000)
    bomb.open()
    await expect(heal(queue, bomb.body)).rejects.toBe(queueFull)
    await heal(queue, { ...held(1000).body, unpack: async () => undefined })
  })

  test('[SE81] a client that has gone gives its place away, and nothing is unpacked for it', async () => {
    const queue = new HealQueue({ bytesMax: 1000 })
    const [first, second, third] = [held(100), held(800), held(900)]
    const all = [heal(queue, first.body), heal(queue, second.body)]
    second.body.isAway = true
    all.push(heal(queue, third.body))
    first.open()
    third.open()
    await Promise.all(all)
    expect([first, second, third].map(({ body }) => body.asked)).toEqual([1, 0, 1])
  })

  test('[SE81] no request waits for ever', async () => {
    const queue = new HealQueue({ waitMs: 1 })
    const [first, second] = [held(100), held(100)]
    const running = heal(queue, first.body)
    await expect(heal(queue, second.body)).rejects.toBe(queueFull)
    first.open()
    await running
    expect(second.body.asked).toBe(0)
  })
})

/** Waits until an upstream has got one more request. */
async function untilMore(held: readonly unknown[], count: number): Promise<undefined> {
  while (held.length <= count) await new Promise(resolve => setTimeout(resolve, 5))
  return undefined
}
