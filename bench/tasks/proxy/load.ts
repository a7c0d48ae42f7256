import { healthyRequests } from '../../proxy/body.ts'
import { rateOf, type Served, serve } from '../../proxy/load.ts'
import { Pool } from '../../proxy/undici.ts'
import type { Choice } from '../../task.ts'

export interface LoadRow {
  bytes: number
  /** Whether each request is the first one of its conversation, or continues an earlier one. */
  kind: 'first' | 'later'
  /** The rate of the proxy as a part of that of the pass-through: the best of the rounds, and the median of their ratios. */
  best: number
  median: number
  /** The same pass-through once more. */
  control: number
  /** The time of processors that a request takes in the pass-through, as a part of what it takes in the proxy. */
  cpu: number
  /** Memory of the proxy after all rounds, as a multiple of that after the first half. */
  memory: number
  /** The same of the pass-through. */
  baseline: number
}

const connections = 64

/** Rounds of each in turn, in alternating order, so that whatever the machine does meanwhile happens to all of them. */
export async function run(argument: string | number, { quick }: Choice): Promise<LoadRow> {
  const [size, word] = String(argument).split(' ')
  const kind = word === 'later' ? 'later' : 'first'
  const provider = await serve('provider')
  const requests = healthyRequests(Number(size), kind)
  const ms = quick ? 1000 : 3000
  const racers = [
    await enter('pass-through', provider),
    await enter('pass-through', provider),
    await enter('healing', provider),
  ]
  const [plain, again, healing] = racers
  for (const { pool } of racers) await rateOf(pool, requests, connections, ms)
  const start = await Promise.all(racers.map(({ served }) => served.usage()))
  const rounds = quick ? 4 : 8
  let half = start
  for (let round = 0; round < rounds; round++) {
    if (round === rounds / 2) half = await Promise.all(racers.map(({ served }) => served.usage()))
    for (const { pool, rates } of round % 2 === 0 ? racers : racers.toReversed())
      rates.push(await rateOf(pool, requests, connections, ms))
  }
  const end = await Promise.all(racers.map(({ served }) => served.usage()))
  for (const { pool } of racers) await pool.destroy()
  for (const served of [provider, ...racers.map(({ served }) => served)]) served.stop()
  const ratios = healing.rates.map((rate, round) => rate / plain.rates[round]).sort((one, other) => one - other)
  const [plainCost, , healingCost] = racers.map(({ rates }, index) => (end[index].cpu - start[index].cpu) / sum(rates))
  return {
    bytes: requests.bytes,
    kind,
    best: Math.max(...healing.rates) / Math.max(...plain.rates),
    median: ratios[ratios.length >> 1],
    control: Math.max(...again.rates) / Math.max(...plain.rates),
    cpu: plainCost / healingCost,
    memory: end[2].rss / half[2].rss,
    baseline: end[0].rss / half[0].rss,
  }
}

async function enter(file: string, provider: Served) {
  const served = await serve(file, provider.url)
  return { served, pool: new Pool(served.url, { connections }), rates: [] as number[] }
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
