import { AntiphonError } from '../../../core/errors.ts'
import type { Relocation } from '../postgres/relocation.ts'
import type { PostgresShard, ScannedThread } from '../postgres/shard.ts'
import type { StoredThreadState } from '../store.ts'
import { randomUid } from '../uid.ts'
import { arrived, isArrived, keyOf } from './keys.ts'

export interface ShardPlace {
  readonly number: number
  readonly shard: PostgresShard
}

/** `busy`: a turn runs, or the thread was written just now. `dropped`: the thread was empty, and the new shard already has one with its name. */
export type MoveResult = 'moved' | 'busy' | 'dropped'

/**
 * Moves a thread from one shard to another: fences it in the old shard, copies it, compares the copy, switches, and removes it from the old shard.
 * Wherever this stops, one shard has the complete thread: before the switch the old one, where the next process that needs the thread unfences it, and
 * after the switch the new one.
 */
export async function moveThread(found: ScannedThread, from: ShardPlace, to: ShardPlace): Promise<MoveResult> {
  const { row, thread } = found
  const [state, dueAt] = [String(row.state) as StoredThreadState, row.due_at === null ? null : Number(row.due_at)]
  const move = { token: randomUid(), state, dueAt }
  const moving: Relocation = { phase: 'moving', shard: to.number, ...move }
  const arriving: Relocation = { phase: 'arriving', shard: from.number, ...move }
  const moved: Relocation = { phase: 'moved', shard: to.number }
  const target = arrivedKey(thread, from.number)
  const epoch = await from.shard.beginMove(found, moving)
  if (epoch === undefined) return 'busy'
  const alive = setInterval(() => void from.shard.renewMove(thread, moving).catch(() => {}), moveMs / 5)
  try {
    if (!(await to.shard.beginCopy(found, target, epoch, arriving))) {
      if (Number(row.head) === 0 && (await from.shard.dropEmpty(found, moving))) return 'dropped'
      throw takenName(from.number, to.number)
    }
    for await (const { insert, rows } of from.shard.contents(thread))
      if (rows.length > 0 && !(await to.shard.copy(insert, rows, target, arriving))) return 'busy'
    const [before, after] = await Promise.all([from.shard.digest(thread), to.shard.digest(target)])
    if (before !== after) throw unequal(from.number, to.number)
    if (!(await from.shard.commitMove(thread, moving, moved))) return 'busy'
  } catch (error) {
    await abandon(found, moving, from, to).catch(() => {})
    throw error
  } finally {
    clearInterval(alive)
  }
  await to.shard.endMove(target, arriving)
  await from.shard.removeMoved(thread, moved)
  return 'moved'
}

/** Completes a move whose process stopped after the switch. */
export async function finishMove({ thread, row }: ScannedThread, from: ShardPlace, to: ShardPlace): Promise<void> {
  if (Number(row.head) < 0) return
  const target = arrivedKey(thread, from.number)
  const there = await to.shard.scanOne(target)
  if (there?.relocation) await to.shard.endMove(target, there.relocation)
  await from.shard.removeMoved(thread, { phase: 'moved', shard: to.number })
}

/** Takes the tombstone of an erased thread along: its name must not be used again in the shard where it is now looked for. */
export async function moveErased(found: ScannedThread, from: ShardPlace, to: ShardPlace): Promise<void> {
  const target = arrivedKey(found.thread, from.number)
  const left = await to.shard.scanOne(target)
  // A copy of a move that was abandoned before the thread was erased.
  if (left?.relocation) await to.shard.dropArrived(left, left.relocation)
  await to.shard.addErased(found, target)
  await from.shard.forwardErased(found.thread, to.number)
}

/** A process that moves a thread and has not renewed this for so long has stopped. */
const moveMs = 5_000

/** Unfences a thread whose move was abandoned. */
export async function undoMove(found: ScannedThread, from: ShardPlace, to: () => Promise<ShardPlace>): Promise<void> {
  const { relocation, now, row } = found
  if (relocation?.phase === 'moving' && now - Number(row.leased_until) > moveMs)
    await abandon(found, relocation, from, await to())
}

/** Unfences the old row first: from then on the switch cannot happen, and the copy can be dropped. */
async function abandon(
  { thread, name }: ScannedThread,
  moving: Relocation,
  from: ShardPlace,
  to: ShardPlace,
): Promise<void> {
  if (moving.phase === 'moved' || !(await from.shard.endMove(thread, moving))) return
  const arriving: Relocation = { ...moving, phase: 'arriving', shard: from.number }
  await to.shard.dropArrived({ thread: arrivedKey(thread, from.number), name }, arriving)
}

/** The key of a thread in all shards except the one in which it was created. */
const arrivedKey = (local: number, shard: number): number => (isArrived(local) ? local : arrived + keyOf(local, shard))

const takenName = (from: number, to: number): AntiphonError =>
  new AntiphonError('journal-damaged', `shards ${from} and ${to} both have a thread of the same name`, {
    hint: 'a process has used one of them without the list of shards: erase one of the two, and run rebalance again',
  })

const unequal = (from: number, to: number): AntiphonError =>
  new AntiphonError('journal-failed', `the copy in shard ${to} is not equal to the thread in shard ${from}`, {
    hint: 'nothing was moved; look for what else writes to these tables, and run rebalance again',
  })
