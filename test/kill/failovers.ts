import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres } from '../../src/journal/stores/postgres/store.ts'
import { type Pair, startPair } from '../journal/stores/postgres-pair.ts'
import { readAll } from './evidence.ts'
import { loadThrough } from './postgres-load.ts'
import { newPostgresSite } from './postgres-site.ts'

/** Promotes the standby under load, so many times: after a crash of the primary, and while it still runs. */
export function checkFailovers(times: number): void {
  let pair: Pair
  const site = newPostgresSite(() => ({ url: () => pair.url }))
  beforeAll(async () => {
    pair = await startPair()
    await site.warmUp()
  })
  afterAll(async () => {
    site.remove()
    await pair.stop()
  })

  test(`[B610] a synchronous standby is promoted ${times} times under load: nothing acknowledged is lost, nothing is done twice, and no owner writes to the old primary`, async () => {
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
    console.info(`${times} promotions, ${entries.length} entries`)
  })
}
