/**
 * The integer key of a thread contains the number of the shard in which it was created. It stays the same when the thread moves, so that lists keep
 * their order. Inside a shard, threads that were created there have small keys, from a sequence; threads that moved there have keys from 2^52.
 */
export const shardsMax = 1_000

/** The number of the shard in which the thread was created. */
export const birthShard = (key: number): number => (key % span) + 1

/** The key of a thread in the database of a shard. */
export const localKey = (key: number, shard: number): number =>
  birthShard(key) === shard ? Math.floor(key / span) : arrived + key

/** The key of a thread, from its key in the database of a shard. */
export const keyOf = (local: number, shard: number): number =>
  local >= arrived ? local - arrived : local * span + shard - 1

/** Converts a position in the list of all keys to positions in the two ranges of local keys of a shard. */
export function localPositions(
  position: number,
  shard: number,
  order: 'oldest' | 'newest',
): [own: number, arrived: number] {
  const own = (position - shard + 1) / span
  const bounded = Math.min(Math.max(position, -1), arrived)
  return order === 'oldest' ? [Math.floor(own), arrived + bounded] : [Math.ceil(own), arrived + bounded]
}

export const isArrived = (local: number): boolean => local >= arrived

const span = 1_024
export const arrived = 2 ** 52
