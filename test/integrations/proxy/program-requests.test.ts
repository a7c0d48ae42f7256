import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { startProxy } from '../../../src/integrations/proxy/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { root } from '../../repository.ts'

/** What a program sent in one session, with other words; `scripts/programs` has run it. */
interface Sample {
  readonly program: string
  readonly version: string
  readonly url: string
  readonly requests: readonly object[]
  /** What it sent when it was resumed after a kill, without the result of the call that was open. */
  readonly broken?: readonly object[]
}

const folder = join(root, 'test/fixtures/programs')
const samples = readdirSync(folder).map((file): Sample => JSON.parse(readFileSync(join(folder, file), 'utf8')))
const rows = samples.map(sample => [`${sample.program} ${sample.version}`, sample] as const)

test('[PX50] there are several requests of each program', () => {
  expect(rows.length).toBe(7)
  for (const [name, { requests }] of rows) expect(requests.length, name).toBeGreaterThanOrEqual(3)
})

test.each(rows)(
  '[PX50] %s: strict accepts what it sends, and the proxy and healFetch forward it unchanged',
  async (_, sample) => {
    const { pathname, search } = new URL(sample.url)
    const sent: unknown[] = []
    const fetch = healFetch({
      fetch: async (_url, init) => {
        sent.push(init?.body)
        return new Response('{}')
      },
    })
    await using strict = await startStrict()
    await using proxy = await startProxy({ to: strict.url, port: 0 })
    for (const [index, request] of sample.requests.entries()) {
      const body = JSON.stringify(request)
      await fetch(sample.url, { method: 'POST', body })
      expect(sent[index]).toBe(body)
      const response = await globalThis.fetch(proxy.url + pathname + search, { method: 'POST', body })
      await response.text()
      expect(strict.requests[index].verdict, `request ${index}`).toBe('accepted')
      expect(response.headers.get('x-antiphon-repairs')).toBeNull()
      expect(JSON.stringify(strict.requests[index].body)).toBe(body)
    }
  },
)

test.each(rows.filter(([, { broken }]) => broken))(
  '[PX50] %s: what it sends after a kill is rejected, and accepted through the proxy',
  async (_, { url, broken = [] }) => {
    const { pathname, search } = new URL(url)
    await using strict = await startStrict()
    await using proxy = await startProxy({ to: strict.url, port: 0 })
    for (const request of broken)
      for (const [origin, status] of [
        [strict.url, 400],
        [proxy.url, 200],
      ] as const) {
        const response = await fetch(origin + pathname + search, { method: 'POST', body: JSON.stringify(request) })
        await response.text()
        expect(response.status).toBe(status)
      }
  },
)
