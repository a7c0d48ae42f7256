import type { Journal } from '../../../src/journal/index.ts'
import { type Server, startServer } from '../../../test/journal/stores/postgres-server.ts'
import { loadJournal } from '../../journal/antiphon.ts'
import { mustWrite, recordTape, type Tape } from '../../journal/tape.ts'
import type { Choice } from '../../task.ts'

/** How many times the rate of one server several have, by what limits them: the median and the range of the rounds. */
export interface ShardsRow {
  limit: 'processor' | 'commits'
  servers: number
  median: number
  least: number
  most: number
}

const lists = [1, 2, 4]
const width = 64

/**
 * The rate of transitions with one, two and four servers, in turns. All of them share the processors of one machine, so it is measured twice: as the
 * servers are, and with commits that take 100 ms, as on slow disks of their own, so that the processors have time to spare.
 */
export async function run(_: unknown, { quick }: Choice): Promise<ShardsRow[]> {
  const servers: Server[] = []
  try {
    for (let count = 0; count < 4; count++) servers.push(await startServer())
    const { openJournal } = await loadJournal()
    const tape = await recordTape(20)
    const journals = await Promise.all(
      lists.map(async count => {
        const shards = servers.slice(0, count).map(server => server.url())
        return openJournal({ shards }, { schema: `of_${count}`, connections: 6, busyMs: 60_000 })
      }),
    )
    const rows: ShardsRow[] = []
    for (const limit of ['processor', 'commits'] as const) {
      for (const server of servers) await delayCommits(server, limit === 'commits' ? 100_000 : 0)
      rows.push(...(await compare(journals, tape, limit, quick ? 3 : 9)))
    }
    for (const journal of journals) await journal.close()
    return rows
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function delayCommits(server: Server, microseconds: number): Promise<void> {
  await server.sql(`ALTER SYSTEM SET commit_delay = ${microseconds}`)
  await server.sql('ALTER SYSTEM SET commit_siblings = 0')
  await server.sql('SELECT pg_reload_conf()')
}

async function compare(
  journals: readonly Journal[],
  tape: Tape,
  limit: ShardsRow['limit'],
  rounds: number,
): Promise<ShardsRow[]> {
  const gains: number[][] = lists.map(() => [])
  for (let round = 0; round < rounds; round++) {
    const rates: number[] = []
    for (const [index, { store }] of journals.entries()) rates[index] = await rateOf(store, tape, `${limit} ${round}`)
    for (const [index, rate] of rates.entries()) gains[index]?.push(rate / (rates[0] ?? 1))
  }
  return lists.map((servers, index) => {
    const sorted = (gains[index] ?? []).toSorted((a, b) => a - b)
    const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
    return { limit, servers, median: at(0.5), least: at(0), most: at(1) }
  })
}

/** Transitions per second of so many threads at once, each with one write after the other. */
async function rateOf(store: Journal['store'], tape: Tape, name: string): Promise<number> {
  const keys = await Promise.all(
    Array.from({ length: width }, async (_, index) => (await store.open(`${name} ${index}`)).thread),
  )
  const begin = performance.now()
  let count = 0
  await Promise.all(
    keys.map(async thread => {
      for (const write of tape.flat()) {
        if (performance.now() - begin > sliceMs) return
        await mustWrite(store, { ...write, thread })
        count++
      }
    }),
  )
  return (count * 1_000) / (performance.now() - begin)
}

const sliceMs = 3_000
