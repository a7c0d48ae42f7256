import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadStatus, ThreadsOptions } from '../../src/journal/index.ts'
import type { ThreadRow } from '../../src/journal/stores/store.ts'
import { Random } from '../laws/random.ts'
import { type Dialect, dialects, expiry } from './settings.ts'
import type { World } from './world.ts'

/** An operator, who lists threads page by page while they change, and has those expire that nobody uses. */
export async function operate(world: World): Promise<void> {
  const random = new Random(world.seed * 17_011)
  while (!world.over.aborted) {
    const dialect = random.pick(dialects)
    if (random.chance(0.3)) await expire(world, dialect)
    else await list(world, random, dialect)
    await sleep(random.range(200, 1_500))
  }
}

async function expire(world: World, dialect: Dialect): Promise<void> {
  const { idleMs, keepLabel } = expiry
  const options = { idleDays: idleMs / 86_400_000, keepLabels: [keepLabel] }
  const rows = await world.insist(() => world.journal(dialect).expire(options))
  world.expiredAt = Date.now()
  world.counters.count('expired', rows.length)
  for (const { name, updatedAt } of rows)
    if (updatedAt > world.expiredAt - idleMs) world.problems.push(`${name} expired, and was in use`)
}

async function list(world: World, random: Random, dialect: Dialect): Promise<void> {
  const label = random.pick(['red', 'blue', expiry.keepLabel, undefined])
  const status = random.pick(['running', 'parked', 'failed', undefined] as const)
  const order = random.pick(['oldest', 'newest'] as const)
  const known = [...world.promised]
    .filter(([key, { metadata }]) => key.startsWith(`${dialect}, `) && metadata.labels.includes(expiry.keepLabel))
    .map(([key]) => key)
  const rows = await readPages(
    world,
    dialect,
    { ...(label && { label }), ...(status && { status }), order },
    random.range(3, 50),
  )
  for (const { name, metadata, state } of rows) {
    if (label && !metadata?.labels.includes(label)) world.problems.push(`${name} is listed under ${label}`)
    if (status && state !== status && !(state === 'idle' && status === 'failed'))
      world.problems.push(`${name} is ${state}, and listed as ${status}`)
  }
  if (label !== expiry.keepLabel || status) return
  // That label is never taken away, and who has it never expires.
  const names = new Set(rows.map(({ name }) => `${dialect}, ${name}`))
  for (const key of known)
    if (!names.has(key) && !world.erased.has(key))
      world.problems.push(`${key} has the label ${label}, and is not listed`)
}

/** The rows of all pages, each of which begins after the one before. */
export async function readPages(
  world: World,
  dialect: Dialect,
  options: {
    readonly label?: string
    readonly status?: Exclude<ThreadStatus, 'erased'>
    readonly order: 'oldest' | 'newest'
  },
  limit: number,
): Promise<ThreadRow[]> {
  const rows: ThreadRow[] = []
  for (;;) {
    const after = rows.at(-1)?.thread
    const page: ThreadsOptions = { ...options, limit, ...(after !== undefined && { after }) }
    const found = await world.insist(async () => {
      const read: ThreadRow[] = []
      for await (const row of world.journal(dialect, 1).threads(page)) read.push(row)
      return read
    })
    world.counters.count(after === undefined ? 'pages first' : 'pages later')
    const last = after ?? (options.order === 'oldest' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
    rows.push(...found)
    const isInOrder = [last, ...found.map(({ thread }) => thread)].every(
      (key, index, keys) => index === 0 || (options.order === 'oldest' ? key > keys[index - 1] : key < keys[index - 1]),
    )
    if (!isInOrder) world.problems.push(`a page of ${JSON.stringify(page)} is not in order`)
    if (found.length < limit) return rows
  }
}
