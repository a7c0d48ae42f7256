import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres } from '../../src/journal/stores/postgres/store.ts'
import { type PgBouncer, startPgBouncer } from '../journal/stores/pgbouncer.ts'
import { type Pair, startPair } from '../journal/stores/postgres-pair.ts'
import { readAll } from './evidence.ts'
import { figuresOf, loadThrough } from './postgres-load.ts'
import { newPostgresSite } from './postgres-site.ts'

/** Promotes the standby under load, so many times: after a crash of the primary, and while it still runs. With `pooled`, each server is behind PgBouncer. */
export function checkFailovers(times: number, pooled = false): void {
  let pair: Pair
  let poolers: PgBouncer[] = []
  const hosts = (): string => poolers.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const site = newPostgresSite(() => ({ url: () => (pooled ? pair.url.replace(/@[^/]+/, `@${hosts()}`) : pair.url) }))
  beforeAll(async () => {
    pair = await startPair()
    if (pooled) poolers = await Promise.all(pair.urls.map(startPgBouncer))
    await site.warmUp()
  })
  afterAll(async () => {
    site.remove()
    for (const pooler of poolers) await pooler.stop()
    await pair.stop()
  })

  const title = pooled ? '[B611] behind PgBouncer in transaction mode,' : '[B610]'
  test(`${title} a synchronous standby is promoted ${times} times under load: nothing acknowledged is lost, nothing is done twice, and no owner writes to the old primary`, async () => {
    await using harness = site.harness()
    const entries = await loadThrough(harness, {
      times,
      cause: time => pair.failOver(time % 2 === 0 ? 'fail' : 'part'),
    })
    // The standby, which was the primary before, has the same.
    const { where } = harness.plan({ do: 'serve' })
    const { schema } = where as { schema: string }
    const standby = await openPostgres(pair.urls[times % 2 === 0 ? 1 : 0] ?? '', { schema, readOnly: true })
    const rows = await standby.list(0, 1_000)
    const copies = await Promise.all(rows.map(({ thread }) => readAll(standby, thread)))
    await standby.close()
    expect(copies.flat()).toEqual(entries)
    console.info(`${times} promotions, ${figuresOf(harness, entries)}`)
  })
}
