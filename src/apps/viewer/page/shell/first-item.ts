import type { Item, Source } from '../../protocol.ts'

/** What there is to open, as far as it has been told. */
export interface Known {
  readonly sources: readonly Source[]
  readonly items: readonly Item[]
  /** The sources of which everything has been told that there is at first. */
  readonly listed: ReadonlySet<string>
}

/** What the page begins with: the first that is broken, as soon as all before it are known, or else the first of all. */
export function firstItem({ sources, items, listed }: Known): Item | undefined {
  for (const { id } of sources) {
    const broken = items.find(({ source, state }) => source === id && state === 'broken')
    if (broken || !listed.has(id)) return broken
  }
  return items[0]
}
