import { createHash } from 'node:crypto'
import { parentOf } from '../../agents/child-name.ts'
import { erasedHash, type ShardMark } from '../postgres/shard.ts'
import { rendezvousWeight } from './rendezvous.ts'

/** By how many shards threads are divided, as far as this process knows. */
export class Layout {
  #settled: number
  #growing = 0

  constructor(settled: number) {
    this.#settled = settled
  }

  get settled(): number {
    return this.#settled
  }

  /** The number of shards that threads are being moved to; the settled one if none are. */
  get target(): number {
    return Math.max(this.#settled, this.#growing)
  }

  /** Returns whether that is news. */
  learn({ settled, growing }: Pick<ShardMark, 'settled' | 'growing'>): boolean {
    const before = [this.#settled, this.target]
    this.#settled = Math.max(this.#settled, settled)
    this.#growing = Math.max(this.#growing, growing)
    return before[0] !== this.#settled || before[1] !== this.target
  }
}

/**
 * The number of the shard that a thread belongs to, of so many. Growing the list by one moves one thread in so many, and only to the new shard. The
 * thread of an agent is in the shard of the outermost parent. An erased thread is found by the hash of its name.
 */
export function homeOf(name: string, shards: number): number {
  const hash = erasedHash(name) ?? createHash('sha256').update(rootOf(name)).digest('hex')
  let best = { shard: 1, weight: rendezvousWeight('1', hash) }
  for (let shard = 2; shard <= shards; shard++) {
    const weight = rendezvousWeight(String(shard), hash)
    if (weight < best.weight) best = { shard, weight }
  }
  return best.shard
}

const rootOf = (name: string): string => {
  const place = parentOf(name)
  return place ? rootOf(place.parent) : name
}
