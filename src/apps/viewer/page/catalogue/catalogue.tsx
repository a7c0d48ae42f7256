import { useMemo, useRef, useState } from 'preact/hooks'
import type { CatalogueItem, ItemState, SourceInfo } from '../../protocol.ts'
import { addStyles } from '../add-styles.ts'
import styles from './catalogue.css?inline'
import { CatalogueGroup } from './catalogue-group.tsx'
import { countStates, groupItems, itemKey } from './group-items.ts'
import { StateLabel } from './state-label.tsx'

addStyles(styles)

interface CatalogueProps {
  readonly sources: readonly SourceInfo[]
  readonly items: readonly CatalogueItem[]
  readonly selected?: { readonly source: string; readonly item: string } | undefined
  onOpen(source: string, item: string): void
}

/**
 * The list of conversations, grouped by source. Of thousands only the first are on the page; the filter finds the others. Tab focuses one
 * item (roving tabindex), and the arrow keys move between items.
 */
export function Catalogue({ sources, items, selected, onOpen }: CatalogueProps) {
  const [words, setWords] = useState('')
  const [state, setState] = useState<ItemState>()
  const [limit, setLimit] = useState(pageSize)
  const [resting, setResting] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const states = useMemo(() => countStates(items), [items])
  // The chosen state may not exist any more.
  const chosenState = states.some(([known]) => known === state) ? state : undefined
  const groups = useMemo(
    () => groupItems(sources, items, { words, state: chosenState, limit }),
    [sources, items, words, chosenState, limit],
  )
  const shown = groups.flatMap(group => group.items)
  const matching = groups.reduce((sum, group) => sum + group.matching, 0)
  const names = new Set(shown.map(itemKey))
  const chosen = selected && itemKey({ source: selected.source, id: selected.item })
  const first = shown[0] && itemKey(shown[0])
  const reachable = [resting, chosen].find(name => name !== undefined && names.has(name)) ?? first

  const move = (event: KeyboardEvent): void => {
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>('.item') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const to = moves[event.key]?.(at, buttons.length - 1)
    if (at < 0 || to === undefined) return
    event.preventDefault()
    buttons[Math.max(0, Math.min(to, buttons.length - 1))]?.focus()
  }
  const enter = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    list.current?.querySelector<HTMLButtonElement>('.item')?.focus()
  }
  return (
    <nav class="catalogue" aria-label="Conversations">
      <div class="catalogue-tools">
        <input
          type="search"
          placeholder="Filter"
          aria-label="Filter conversations"
          value={words}
          onInput={event => {
            setWords(event.currentTarget.value)
            setLimit(pageSize)
          }}
          onKeyDown={enter}
        />
        {states.length > 1 && (
          <fieldset class="catalogue-states">
            <legend class="sr-only">Only this state</legend>
            {states.map(([known, count]) => (
              <button
                key={known}
                type="button"
                aria-pressed={known === chosenState}
                onClick={() => setState(known === chosenState ? undefined : known)}
              >
                <StateLabel state={known} /> <span class="count">{count.toLocaleString('en')}</span>
              </button>
            ))}
          </fieldset>
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows belong to the buttons inside. */}
      <div ref={list} class="catalogue-groups" onKeyDown={move}>
        {groups.map(group => (
          <CatalogueGroup
            key={group.key}
            group={group}
            isFiltered={words !== '' || chosenState !== undefined}
            chosen={chosen}
            reachable={reachable}
            onFocus={setResting}
            onOpen={onOpen}
          />
        ))}
      </div>
      <p class="catalogue-count" role="status">
        {matching > shown.length && `${shown.length.toLocaleString('en')} of ${matching.toLocaleString('en')} shown`}
        {matching === 0 && items.length > 0 && 'no matches'}
      </p>
      {matching > shown.length && (
        <button type="button" class="button catalogue-more" onClick={() => setLimit(limit + pageSize)}>
          Show {Math.min(pageSize, matching - shown.length)} more
        </button>
      )}
    </nav>
  )
}

const pageSize = 200

const moves: Record<string, ((at: number, last: number) => number) | undefined> = {
  ArrowDown: at => at + 1,
  ArrowUp: at => at - 1,
  PageDown: at => at + 10,
  PageUp: at => at - 10,
  Home: () => 0,
  End: (_at, last) => last,
}
