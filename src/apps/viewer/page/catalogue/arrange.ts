import type { Item, ItemState, Source } from '../../protocol.ts'
import { stateSigns } from './item-states.ts'

/** A source with those of its items that are shown, or the files that were opened one by one. */
export interface Group {
  readonly key: string
  /** What it is, for people. */
  readonly kind: string
  readonly name?: string
  readonly items: readonly Item[]
  /** How many there are that fit. */
  readonly fitting: number
  readonly all: number
}

export interface Wanted {
  readonly words: string
  /** Only this state. */
  readonly state?: ItemState | undefined
  /** How many items are shown, over all groups. */
  readonly most: number
}

/** The items that are wanted, under where they come from. All of the words must be in an item, in whatever case. */
export function arrange(sources: readonly Source[], items: readonly Item[], { words, state, most }: Wanted): Group[] {
  const terms = words.toLowerCase().split(/\s+/).filter(Boolean)
  let left = most
  return groupsOf(sources, items).map(({ members, ...group }) => {
    const fitting = members.filter(
      ({ item, source }) => (state === undefined || item.state === state) && fits(item, source, terms),
    )
    const shown = fitting.slice(0, left).map(({ item }) => item)
    left -= shown.length
    return { ...group, items: shown, fitting: fitting.length, all: members.length }
  })
}

interface Members extends Pick<Group, 'key' | 'kind' | 'name'> {
  readonly members: { readonly item: Item; readonly source: Source }[]
}

/** A file that holds one conversation, which has its name, needs no heading of its own: such files stand together. */
function groupsOf(sources: readonly Source[], items: readonly Item[]): Members[] {
  const bySource = new Map<string, Item[]>(sources.map(({ id }) => [id, []]))
  for (const item of items) bySource.get(item.source)?.push(item)
  const groups = new Map<string, Members>()
  for (const source of sources) {
    const own = bySource.get(source.id) ?? []
    const isAlone = own.length === 1 && own[0].title === source.name
    const key = isAlone ? source.kind : `source ${source.id}`
    const group: Members = groups.get(key) ?? {
      key,
      ...(isAlone ? { kind: together[source.kind] } : { kind: kinds[source.kind], name: source.name }),
      members: [],
    }
    for (const item of own) group.members.push({ item, source })
    groups.set(key, group)
  }
  return [...groups.values()]
}

const kinds: Record<Source['kind'], string> = { history: 'file', store: 'store', journal: 'journal', tape: 'tape' }
const together: Record<Source['kind'], string> = {
  history: 'files',
  store: 'stores',
  journal: 'journals',
  tape: 'tapes',
}

function fits({ title, id, state, system = '', note = '' }: Item, { name }: Source, terms: readonly string[]): boolean {
  if (terms.length === 0) return true
  const text = [title, id, stateSigns[state].word, system, note, name].join('\n').toLowerCase()
  return terms.every(term => text.includes(term))
}

/** How many items there are of each state, in the order of the states. */
export function countStates(items: readonly Item[]): readonly (readonly [ItemState, number])[] {
  const counts = new Map<ItemState, number>()
  for (const { state } of items) counts.set(state, (counts.get(state) ?? 0) + 1)
  return (Object.keys(stateSigns) as ItemState[]).flatMap(state => {
    const count = counts.get(state)
    return count === undefined ? [] : [[state, count] as const]
  })
}
