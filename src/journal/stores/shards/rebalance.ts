import { setTimeout as sleep } from 'node:timers/promises'
import { assertAmounts } from '../../../core/assert-options.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { eraseThread } from '../../erasure/erase-thread.ts'
import type { ScannedThread } from '../postgres/shard.ts'
import type { PostgresOptions } from '../postgres/store.ts'
import { keyOf } from './keys.ts'
import { homeOf } from './layout.ts'
import { finishMove, moveErased, moveThread, type ShardPlace, undoMove } from './move-thread.ts'
import { openShards, type ShardList } from './open-shards.ts'
import type { ShardStore } from './shard-store.ts'

export interface RebalanceOptions extends Omit<PostgresOptions, 'readOnly'> {
  /** Move nothing; only count and report what would be moved. */
  readonly dryRun?: boolean
  /** How long to wait for turns that are running; 600,000 by default. */
  readonly waitMs?: number
  /** Called for every thread that was moved, or would be. */
  readonly onMove?: (move: { readonly thread: string; readonly from: number; readonly to: number }) => void
  /** Stops after the current thread. The next run continues. */
  readonly signal?: AbortSignal
}

export interface Rebalanced {
  readonly moved: number
  /** Threads that are already in their shard. */
  readonly inPlace: number
  /** Threads that could not be moved because a turn runs. */
  readonly waiting: number
  /** Whether all threads are in their shards. If not, run it again. */
  readonly isComplete: boolean
}

/**
 * Moves threads to their shards after databases were added at the end of the list. First, open the journal with the longer list in every process; it
 * can then be used while threads move. The function can be stopped at any moment; call it again to continue.
 */
export async function rebalance(
  { shards }: { readonly shards: ShardList },
  { dryRun = false, waitMs = 600_000, onMove, signal, ...options }: RebalanceOptions = {},
): Promise<Rebalanced> {
  assertAmounts({ waitMs })
  const store = await openShards(shards, options)
  try {
    const places = await Promise.all(shards.map((_, index) => store.place(index + 1)))
    const work: Work = { store, places, dryRun, onMove, signal }
    if (dryRun) return { ...(await pass(work)), isComplete: false }
    await markAll(places, { growing: places.length })
    let moved = 0
    for (const end = performance.now() + waitMs; ; await sleep(pauseMs)) {
      const found = await pass(work)
      moved += found.moved
      const isOver = found.waiting === 0 && found.moved === 0
      // The scan may have missed a thread that was created meanwhile: only a pass that finds nothing to move is the last.
      if (isOver && !signal?.aborted) await markAll(places, { settled: places.length })
      if (isOver || signal?.aborted || performance.now() > end)
        return { ...found, moved, isComplete: isOver && !signal?.aborted }
    }
  } finally {
    await store.close()
  }
}

interface Work {
  readonly onMove: RebalanceOptions['onMove'] | undefined
  readonly signal: AbortSignal | undefined
  readonly store: ShardStore
  readonly places: readonly ShardPlace[]
  readonly dryRun: boolean
}

/** Moves every thread of every shard that belongs to another one and has no owner. */
async function pass(work: Work): Promise<Omit<Rebalanced, 'isComplete'>> {
  const counts = { moved: 0, inPlace: 0, waiting: 0 }
  for (const from of work.places)
    for (let after = 0; ; ) {
      const page = await from.shard.scan(after, pageSize)
      for (const found of page) {
        if (work.signal?.aborted) return counts
        const result = await moveIfNeeded(work, found, from)
        if (result) counts[result]++
      }
      const last = page.at(-1)
      if (!last) break
      after = last.thread
    }
  return counts
}

/** Moves a thread, or completes an earlier move of it. Undefined if it is not to be counted: erased, new, or counted in another shard. */
async function moveIfNeeded(
  work: Work,
  found: ScannedThread,
  from: ShardPlace,
): Promise<'moved' | 'inPlace' | 'waiting' | undefined> {
  const { places, dryRun, onMove, store } = work
  const { relocation, name, row } = found
  const at = (number: number): ShardPlace => places[number - 1] ?? missing(number)
  if (relocation?.phase === 'arriving') return undefined
  if (relocation?.phase === 'moved') {
    if (!dryRun) await finishMove(found, from, at(relocation.shard))
    return undefined
  }
  const home = homeOf(name, places.length)
  if (home === from.number && !relocation) return row.state === 'erased' ? undefined : 'inPlace'
  if (dryRun) {
    if (row.state !== 'erased' || relocation) onMove?.({ thread: name, from: from.number, to: home })
    return row.state === 'erased' && !relocation ? undefined : 'moved'
  }
  // A new thread is moved by the process that creates it. Waiting for new threads could take for ever.
  const isNew = Number(row.head) === 0 && Number(row.epoch) === (relocation ? 1 : 0)
  if (relocation) {
    await undoMove(found, from, async () => at(relocation.shard))
    return isNew ? ifStillHere(found, from) : 'waiting'
  }
  if (row.state === 'erased') {
    if (row.due_at !== null) {
      await eraseThread(store, keyOf(found.thread, from.number))
      return 'waiting'
    }
    await moveErased(found, from, at(home))
    return undefined
  }
  const result = Number(row.leased_until) > found.now ? 'busy' : await moveThread(found, from, at(home))
  if (isNew && result !== 'moved') return ifStillHere(found, from)
  if (result === 'busy') return 'waiting'
  if (result === 'moved') onMove?.({ thread: name, from: from.number, to: home })
  return isNew ? undefined : 'moved'
}

/** The process that created a thread may have written to it before it knew that the list grows. Then the thread is moved like any other. */
async function ifStillHere({ thread }: ScannedThread, { shard }: ShardPlace): Promise<'waiting' | undefined> {
  const found = await shard.scanOne(thread)
  return found && !found.relocation && found.row.state !== 'erased' ? 'waiting' : undefined
}

/** Compare-and-swap on each shard: other runs may do the same. */
async function markAll(
  places: readonly ShardPlace[],
  change: { growing: number } | { settled: number },
): Promise<void> {
  for (const { number, shard } of places)
    for (;;) {
      const mark = await shard.mark()
      if (!mark) throw missing(number)
      const growing = 'growing' in change ? Math.max(change.growing, mark.growing) : mark.growing
      const settled = 'settled' in change ? Math.max(change.settled, mark.settled) : mark.settled
      if (growing === mark.growing && settled === mark.settled) break
      if (await shard.changeMark(mark, { number, growing, settled })) break
    }
}

function missing(number: number): never {
  throw new AntiphonError('wrong-shard', `shard ${number} is not in the list`, {
    hint: 'run rebalance with the complete list of shards',
  })
}

const pageSize = 500
const pauseMs = 200
