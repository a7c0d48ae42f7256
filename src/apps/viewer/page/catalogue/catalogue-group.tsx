import { useId } from 'preact/hooks'
import type { CatalogueItem } from '../../protocol.ts'
import { clockTime } from '../live/times.ts'
import { type Group, itemKey } from './group-items.ts'
import { pathEnd } from './path-end.ts'
import { StateLabel } from './state-label.tsx'

interface CatalogueGroupProps {
  readonly group: Group
  readonly isFiltered: boolean
  /** The key of the open item. */
  readonly chosen: string | undefined
  /** The key of the item that Tab focuses. */
  readonly reachable: string | undefined
  onFocus(name: string): void
  onOpen(source: string, item: string): void
}

/** A source and its items. */
export function CatalogueGroup({ group, isFiltered, chosen, reachable, onFocus, onOpen }: CatalogueGroupProps) {
  const title = useId()
  const { kind, name: groupName, items, matching, all } = group
  if (isFiltered && matching === 0) return null
  return (
    <section class="catalogue-group" aria-labelledby={title}>
      <h2 id={title} title={groupName}>
        <span class="kind">{kind}</span> {groupName !== undefined && <bdi class="name">{pathEnd(groupName, 2)}</bdi>}{' '}
        <span class="count">{isFiltered ? `${matching} of ${all}` : all.toLocaleString('en')}</span>
      </h2>
      <ul>
        {items.map(item => {
          const name = itemKey(item)
          return (
            <li key={name}>
              <button
                type="button"
                class={item.parent === undefined ? 'item' : 'item child'}
                aria-current={name === chosen ? 'true' : undefined}
                tabIndex={name === reachable ? 0 : -1}
                data-item={`${item.source}/${item.id}`}
                data-state={item.state}
                onFocus={() => onFocus(name)}
                onClick={() => onOpen(item.source, item.id)}
              >
                <bdi class="title" title={item.title}>
                  {groupName === undefined || item.parent !== undefined ? pathEnd(item.title) : item.title}
                </bdi>
                <span class="facts">
                  <StateLabel state={item.state} />
                  {[...facts(item)].map(fact => (
                    <span key={fact}>{fact}</span>
                  ))}
                </span>
                {item.note !== undefined && <span class="note">{item.note}</span>}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function* facts({ system, counts, at }: CatalogueItem): Generator<string> {
  if (system !== undefined) yield system
  if (at !== undefined) yield clockTime(at, Date.now())
  if (!counts) return
  if (counts.unanswered > 0) yield `${counts.unanswered.toLocaleString('en')} unanswered`
  if (counts.orphans > 0) yield counted(counts.orphans, 'orphan')
  yield counted(counts.calls, 'call')
}

const counted = (count: number, word: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? word : `${word}s`}`
