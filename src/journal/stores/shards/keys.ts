/**
 * The integer key of a thread says in which shard it began, and stays the same when the thread moves: a list of threads keeps its order. A shard has
 * its own threads under keys that it counts, and those that came from others under large ones.
 */
export const shardsMax = 1_000

/** The number of the shard in which a thread with this key began. */
export const birthShard = (key: number): number => (key % span) + 1

/** The key of a thread in the database of a shard. */
export const localKey = (key: number, shard: number): number =>
  birthShard(key) === shard ? Math.floor(key / span) : arrived + key

/** The key of a thread, by that in the database of a shard. */
export const keyOf = (local: number, shard: number): number =>
  local >= arrived ? local - arrived : local * span + shard - 1

/** A position among the local keys of a shard for one among all keys: at the end of those that are at most, or at least, that. */
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
