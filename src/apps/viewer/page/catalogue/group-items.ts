import type { CatalogueItem, ItemState, SourceInfo } from '../../protocol.ts'
import { stateIcons } from './state-icons.ts'

/** A source with the items that are shown, or all sources that are single files. */
export interface Group {
  readonly key: string
  /** The kind of source, for people. */
  readonly kind: string
  readonly name?: string
  readonly items: readonly CatalogueItem[]
  /** How many items match the filter. */
  readonly matching: number
  readonly all: number
}

export interface ItemFilter {
  readonly words: string
  /** Only items in this state. */
  readonly state?: ItemState | undefined
  /** The maximum number of items, over all groups. */
  readonly limit: number
}

/** Groups the items by source, and filters them. An item matches if it contains all of the words, ignoring case. */
export function groupItems(
  sources: readonly SourceInfo[],
  items: readonly CatalogueItem[],
  { words, state, limit }: ItemFilter,
): Group[] {
  const terms = words.toLowerCase().split(/\s+/).filter(Boolean)
  let left = limit
  return groupsOf(sources, items).map(({ members, ...group }) => {
    const matching = members.filter(
      ({ item, source }) => (state === undefined || item.state === state) && matches(item, source, terms),
    )
    const shown = matching.slice(0, left).map(({ item }) => item)
    left -= shown.length
    return { ...group, items: shown, matching: matching.length, all: members.length }
  })
}

interface Members extends Pick<Group, 'key' | 'kind' | 'name'> {
  readonly members: { readonly item: CatalogueItem; readonly source: SourceInfo }[]
}

/** A file with a single conversation of the same name needs no heading: such files are one group. */
function groupsOf(sources: readonly SourceInfo[], items: readonly CatalogueItem[]): Members[] {
  const bySource = new Map<string, CatalogueItem[]>(sources.map(({ id }) => [id, []]))
  for (const item of items) bySource.get(item.source)?.push(item)
  const groups = new Map<string, Members>()
  for (const source of sources) {
    const own = bySource.get(source.id) ?? []
    const isAlone = own.length === 1 && own[0]?.title === source.name
    const key = isAlone ? source.kind : `source ${source.id}`
    const group: Members = groups.get(key) ?? {
      key,
      ...(isAlone ? { kind: together[source.kind] } : { kind: kinds[source.kind], name: source.name }),
      members: [],
    }
    for (const item of underParents(brokenFirst(own))) group.members.push({ item, source })
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** What needs attention comes first; within one state, the newest. */
const brokenFirst = (items: readonly CatalogueItem[]): readonly CatalogueItem[] =>
  items.toSorted((one, other) => ranks[one.state] - ranks[other.state] || (other.at ?? 0) - (one.at ?? 0))

const ranks: Record<ItemState, number> = {
  broken: 0,
  failed: 0,
  unreadable: 1,
  parked: 2,
  pending: 2,
  busy: 2,
  running: 2,
  ready: 2,
  unknown: 3,
  healthy: 3,
  idle: 3,
  kept: 3,
  erased: 4,
}

/** The items in order, with those of agents after the thread that called them. */
function underParents(items: readonly CatalogueItem[]): readonly CatalogueItem[] {
  if (!items.some(({ parent }) => parent !== undefined)) return items
  const ids = new Set(items.map(({ id }) => id))
  const children = new Map<string | undefined, CatalogueItem[]>()
  for (const item of items) {
    const parent = item.parent !== undefined && ids.has(item.parent) ? item.parent : undefined
    const known = children.get(parent)
    if (known) known.push(item)
    else children.set(parent, [item])
  }
  const tree = (parent: string | undefined): CatalogueItem[] =>
    (children.get(parent) ?? []).flatMap(item => [item, ...tree(item.id)])
  return tree(undefined)
}

const kinds: Record<SourceInfo['kind'], string> = { history: 'file', store: 'store', journal: 'journal', tape: 'tape' }
const together: Record<SourceInfo['kind'], string> = {
  history: 'files',
  store: 'stores',
  journal: 'journals',
  tape: 'tapes',
}

function matches(
  { title, id, state, system = '', note = '' }: CatalogueItem,
  { name }: SourceInfo,
  terms: readonly string[],
): boolean {
  if (terms.length === 0) return true
  const text = [title, id, stateIcons[state].word, system, note, name].join('\n').toLowerCase()
  return terms.every(term => text.includes(term))
}

/** The number of items in each state, in the order of the states. */
export function countStates(items: readonly CatalogueItem[]): readonly (readonly [ItemState, number])[] {
  const counts = new Map<ItemState, number>()
  for (const { state } of items) counts.set(state, (counts.get(state) ?? 0) + 1)
  return (Object.keys(stateIcons) as ItemState[]).flatMap(state => {
    const count = counts.get(state)
    return count === undefined ? [] : [[state, count] as const]
  })
}

/** A unique key of an item. */
export const itemKey = ({ source, id }: Pick<CatalogueItem, 'source' | 'id'>): string => JSON.stringify([source, id])
