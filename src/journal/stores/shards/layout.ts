import { createHash } from 'node:crypto'
import { parentOf } from '../../agents/child-name.ts'
import { erasedHash, type ShardMark } from '../postgres/shard.ts'
import { rendezvousWeight } from './rendezvous.ts'

/** The number of shards among which threads are divided, as far as this process knows. */
export class Layout {
  #settled: number
  #growing = 0

  constructor(settled: number) {
    this.#settled = settled
  }

  get settled(): number {
    return this.#settled
  }

  /** The number of shards after the move that is in progress; without one, the same as `settled`. */
  get target(): number {
    return Math.max(this.#settled, this.#growing)
  }

  /** Returns whether something changed. */
  learn({ settled, growing }: Pick<ShardMark, 'settled' | 'growing'>): boolean {
    const before = [this.#settled, this.target]
    this.#settled = Math.max(this.#settled, settled)
    this.#growing = Math.max(this.#growing, growing)
    return before[0] !== this.#settled || before[1] !== this.target
  }
}

/**
 * The number of the shard that a thread belongs to, by rendezvous hashing of its name. When a list grows to n shards, one thread in n moves, and only to
 * the new shard. The thread of an agent is in the shard of its outermost parent. An erased thread is found by the hash of its name.
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
