import { useMemo, useRef, useState } from 'preact/hooks'
import type { Item, ItemState, Source } from '../../protocol.ts'
import { adopt } from '../adopt.ts'
import { arrange, countStates } from './arrange.ts'
import styles from './catalogue.css?inline'
import { CatalogueGroup } from './catalogue-group.tsx'
import { itemName } from './item-name.ts'
import { StateSign } from './state-sign.tsx'

adopt(styles)

interface CatalogueProps {
  readonly sources: readonly Source[]
  readonly items: readonly Item[]
  readonly selected?: { readonly source: string; readonly item: string } | undefined
  onOpen(source: string, item: string): void
}

/**
 * What can be opened, under where it comes from. Of thousands only the first are on the page: the field above finds the
 * others. One item at a time is in the order of Tab, and the arrows go from one to the next.
 */
export function Catalogue({ sources, items, selected, onOpen }: CatalogueProps) {
  const [words, setWords] = useState('')
  const [state, setState] = useState<ItemState>()
  const [most, setMost] = useState(pageSize)
  const [resting, setResting] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const states = useMemo(() => countStates(items), [items])
  // A state may have gone since it was asked for.
  const asked = states.some(([known]) => known === state) ? state : undefined
  const groups = useMemo(
    () => arrange(sources, items, { words, state: asked, most }),
    [sources, items, words, asked, most],
  )
  const shown = groups.flatMap(group => group.items)
  const fitting = groups.reduce((sum, group) => sum + group.fitting, 0)
  const names = new Set(shown.map(itemName))
  const chosen = selected && itemName({ source: selected.source, id: selected.item })
  const first = shown[0] && itemName(shown[0])
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
            setMost(pageSize)
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
                aria-pressed={known === asked}
                onClick={() => setState(known === asked ? undefined : known)}
              >
                <StateSign state={known} /> <span class="count">{count.toLocaleString('en')}</span>
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
            isFiltered={words !== '' || asked !== undefined}
            chosen={chosen}
            reachable={reachable}
            onFocus={setResting}
            onOpen={onOpen}
          />
        ))}
      </div>
      <p class="catalogue-count" role="status">
        {fitting > shown.length && `${shown.length.toLocaleString('en')} of ${fitting.toLocaleString('en')} shown`}
        {fitting === 0 && items.length > 0 && 'nothing fits'}
      </p>
      {fitting > shown.length && (
        <button type="button" class="button catalogue-more" onClick={() => setMost(most + pageSize)}>
          Show {Math.min(pageSize, fitting - shown.length)} more
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
