import type { CatalogueItem, SourceInfo } from '../../protocol.ts'

/** The sources and items that are known so far. */
export interface KnownItems {
  readonly sources: readonly SourceInfo[]
  readonly items: readonly CatalogueItem[]
  /** The sources whose items have all been listed once. */
  readonly listed: ReadonlySet<string>
  /** The server has no sources. */
  readonly isEmpty: boolean
}

/** The item to open first: the first broken one, as soon as all before it are known; if none is broken, the first of all. */
export function firstItem({ sources, items, listed }: Omit<KnownItems, 'isEmpty'>): CatalogueItem | undefined {
  for (const { id } of sources) {
    const broken = items.find(({ source, state }) => source === id && state === 'broken')
    if (broken || !listed.has(id)) return broken
  }
  return items[0]
}
