import { setTimeout as sleep } from 'node:timers/promises'
import { AntiphonError } from '../../../core/errors.ts'
import type { ShardMark } from '../postgres/shard.ts'
import type { PostgresOptions } from '../postgres/store.ts'
import { shardsMax } from './keys.ts'
import { Layout } from './layout.ts'
import { Shard, type ShardList, tooFew, wrongShard } from './shard.ts'
import { ShardStore } from './shard-store.ts'

export type { ShardList }

/** Opens a journal whose threads are divided among several PostgreSQL databases. */
export async function openShards(list: ShardList, options: PostgresOptions = {}): Promise<ShardStore> {
  if (list.length === 0 || list.length > shardsMax)
    throw new AntiphonError('wrong-option', `shards must list 1 to ${shardsMax} databases, got ${list.length}`, {
      hint: 'openJournal({ shards: [urlA, urlB] })',
    })
  const shards = list.map((location, index) => new Shard(location, index + 1, list.length, options))
  try {
    const layout = await readLayout(shards, options.readOnly === true)
    return new ShardStore(shards, layout, options.busyMs ?? 5_000)
  } catch (error) {
    await Promise.all(shards.map(shard => shard.close()))
    throw error
  }
}

/** Reads what the shards have stored about their list. A shard may be unreachable, unless the list is used for the first time. */
async function readLayout(shards: readonly Shard[], readOnly: boolean): Promise<Layout> {
  const opening = shards.map(shard => shard.store())
  const all = Promise.allSettled(opening)
  const first = Promise.any(opening).then(
    () => sleep(patienceMs, undefined, { ref: false }),
    () => all,
  )
  await Promise.race([all, first])
  const known = async (): Promise<(ShardMark | undefined)[]> => {
    const marks: (ShardMark | undefined)[] = shards.map(() => undefined)
    for (const shard of shards) {
      const opened = await Promise.race([shard.store().catch(rethrowWrong), sleep(0, undefined)])
      if (opened) marks[shard.number - 1] = await opened.shard.mark()
    }
    return marks
  }
  const marks = await known()
  const settled = Math.max(0, ...marks.map(mark => mark?.settled ?? 0))
  const layout = new Layout(settled || 1)
  if (!readOnly && marks.includes(undefined))
    layout.learn({ settled: await markNew(shards, marks, settled), growing: 0 })
  for (const mark of marks) if (mark) layout.learn(mark)
  if (layout.target > shards.length) throw tooFew(layout.target, shards.length)
  return layout
}

/** Marks new databases as shards. Only the first one may already have threads: it was a journal of its own before. */
async function markNew(
  shards: readonly Shard[],
  marks: readonly (ShardMark | undefined)[],
  known: number,
): Promise<number> {
  let settled = known
  if (settled === 0) {
    // All must be reachable, to know that none has threads.
    const stores = await Promise.all(shards.map(shard => shard.store()))
    const isUsed = await Promise.all(stores.map(async store => (await store.shard.scan(0, 1)).length > 0))
    const used = isUsed.lastIndexOf(true)
    if (used > 0) throw notNew(used + 1)
    settled = used === 0 ? 1 : shards.length
  }
  for (const shard of shards) {
    const { number } = shard
    if (marks[number - 1]) continue
    const opened = await Promise.race([shard.store().catch(rethrowWrong), sleep(0, undefined)])
    if (!opened) continue
    if (known > 0 && (await opened.shard.scan(0, 1)).length > 0) throw notNew(number)
    const found = await opened.shard.markFirst({ number, settled, growing: 0 })
    if (found.number !== number) throw wrongShard(found.number, number)
    settled = Math.max(settled, found.settled)
  }
  return settled
}

/** A shard that cannot be reached is not an error yet. */
function rethrowWrong(error: unknown): undefined {
  if (AntiphonError.is(error) && error.code === 'journal-unreachable') return undefined
  throw error
}

/** How long to wait for other shards when one has answered. */
const patienceMs = 2_000

const notNew = (number: number): AntiphonError =>
  new AntiphonError('wrong-shard', `shard ${number} of the list already has threads`, {
    hint: 'only the first database of a new list may be a journal already: put it first, or use an empty database',
  })
