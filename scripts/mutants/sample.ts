import { createHash } from 'node:crypto'

/**
 * Some of each group: as many of each as its share of all, and at least one as far as `count` allows. The same seed chooses
 * the same ones, and a mutant that comes or goes does not change the order of the others.
 */
export function sample<T extends { readonly group: string; readonly name: string }>(
  all: readonly T[],
  count: number,
  seed: string,
): T[] {
  const rank = ({ group, name }: T): string => createHash('sha256').update(`${seed} ${group} ${name}`).digest('hex')
  const ranked = all.map(one => ({ one, rank: rank(one) })).sort((a, b) => (a.rank < b.rank ? -1 : 1))
  const sizes = new Map<string, number>()
  for (const { group } of all) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  // The first of each group comes first; the others follow evenly spread over their group.
  const taken = new Map<string, number>()
  const ordered = ranked.map(({ one, rank }) => {
    const before = taken.get(one.group) ?? 0
    taken.set(one.group, before + 1)
    return { one, rank, share: before / (sizes.get(one.group) ?? 1) }
  })
  return ordered
    .sort((a, b) => a.share - b.share || (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ one }) => one)
}
