import { afterAll, beforeAll, expect, test } from 'vitest'
import { healFetch } from '../../src/integrations/fetch/index.ts'
import { type ProxyReport, startProxy } from '../../src/integrations/proxy/index.ts'
import { sampleOf } from '../sample.ts'
import { startRejecting } from './rejecting-provider.ts'
import { bodyOf, objections, pathOf, requestOf, sharedCases } from './shared-cases.ts'

let upstream: Awaited<ReturnType<typeof startRejecting>>
let proxy: Awaited<ReturnType<typeof startProxy>>

beforeAll(async () => {
  upstream = await startRejecting()
  proxy = await startProxy({ to: upstream.url, port: 0, onRepair() {}, onError: fail })
})

afterAll(async () => {
  await proxy.close()
  await upstream.close()
})

function fail(error: unknown): never {
  throw error
}

test.each(sampleOf(sharedCases, Math.ceil(sharedCases.length / 2)))(
  '[RJ9] $class, $id: the proxy decides as healFetch does, byte for byte',
  async rejected => {
    const request = requestOf(rejected)
    const body = JSON.stringify(request)
    // One endpoint for each case: what one taught is not for the next.
    const path = `/case-${sharedCases.indexOf(rejected)}${pathOf(rejected, request)}`

    const ask = async (send: typeof fetch, base: string) => {
      upstream.answerWith(rejected)
      const response = await send(base + path, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
      return { status: response.status, text: await response.text(), bodies: upstream.bodies.map(String) }
    }
    const direct = await ask(healFetch({ onRepair() {}, onError: fail }), upstream.url)
    const proxied = await ask(fetch, proxy.url)

    expect(proxied.bodies.length).toBeLessThanOrEqual(2)
    expect(proxied.bodies.map(text => text.length)).toEqual(direct.bodies.map(text => text.length))
    expect(proxied.bodies.every((text, at) => text === direct.bodies[at])).toBe(true)
    expect([proxied.status, proxied.text]).toEqual([direct.status, direct.text])
    if (rejected.class === 'not-healable') {
      expect(proxied.bodies).toEqual([body])
      expect([proxied.status, proxied.text]).toEqual([rejected.refusal.status, bodyOf(rejected)])
    } else {
      expect(proxied.status).toBe(200)
      expect(objections(JSON.parse(proxied.bodies.at(-1) ?? ''), rejected)).toEqual([])
    }
  },
)

test('[RJ23] a dry run reports what would be done after a rejection, sends nothing twice and changes nothing', async () => {
  const reports: ProxyReport[] = []
  const dry = await startProxy({
    ...{ to: upstream.url, port: 0, dryRun: true, onError: fail },
    onRepair: report => reports.push(report),
  })
  const small = sharedCases
    .filter(({ request }) => JSON.stringify(request).length < 20_000)
    .filter(rejected => JSON.stringify(requestOf(rejected)).length <= 1_000_000)
  expect(small.length).toBeGreaterThan(50)
  for (const rejected of sampleOf(small, Math.ceil(small.length / 3))) {
    const body = JSON.stringify(requestOf(rejected))
    reports.length = 0
    upstream.answerWith(rejected)
    const path = `/dry-${sharedCases.indexOf(rejected)}${pathOf(rejected, requestOf(rejected))}`
    const response = await fetch(dry.url + path, { method: 'POST', body })
    expect(upstream.bodies.map(String), rejected.id).toEqual([body])
    expect([response.status, await response.text()], rejected.id).toEqual([rejected.refusal.status, bodyOf(rejected)])
    expect(reports.every(({ dryRun }) => dryRun === true)).toBe(true)
    // What would have been repaired before it was sent is reported as that.
    const isReported = reports.length > 0 && response.headers.get('x-antiphon-dry-run') === 'true'
    expect(isReported, rejected.id).toBe(rejected.class !== 'not-healable')
  }
  await dry.close()
})
