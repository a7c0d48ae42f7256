import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Arc, Desk, Mark, Opened, Row } from '../../desk.ts'
import { ContentView } from '../content/content-view.tsx'
import { MarkedWords } from '../search/marked-words.tsx'
import { arcWords } from './arc-words.ts'
import { Chips } from './chips.tsx'
import { type Gutter, noteX } from './gutter.ts'
import type { Pointed } from './lit.ts'

interface Props {
  readonly desk: Desk
  readonly opened: Opened
  readonly step: number
  readonly row: Row
  readonly count: number
  readonly top: number
  readonly gutter: Gutter
  readonly arcs: readonly Arc[]
  readonly isCurrent: boolean
  readonly isUnfolded: boolean
  readonly isLit: boolean
  readonly isConcerned: boolean
  readonly hasMargin: boolean
  readonly words: string
  readonly onToggle: (row: number) => void
  readonly onCurrent: (row: number) => void
  readonly onMark: (mark: number) => void
  readonly onMeasure: (row: number, height: number) => void
  readonly point: (pointed: Pointed | undefined) => void
}

const touchedWords = { new: 'made up', moved: 'moved', changed: 'changed' } as const

/** Nobody listens to more faults of one message than this, or to more arcs. */
const spokenMax = 12

/** One message on the sheet: its note on the staff, its first words, and all of it once it is unfolded. */
export function RowView(props: Props) {
  const { row, count, top, gutter, arcs, isCurrent, isUnfolded, isLit, isConcerned, point } = props
  const element = useRef<HTMLDivElement>(null)
  const { onMeasure } = props
  useLayoutEffect(() => {
    const { current } = element
    if (!current || !isUnfolded) return
    const measure = (): void => onMeasure(row.index, current.offsetHeight)
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [isUnfolded, row.index, onMeasure])

  const hasBadge = !props.hasMargin && row.marks.length > 0
  const severity = worst(row.marks, props.opened.marks)
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed by themselves, and most of the list is not in the document
    <div
      ref={element}
      role="listitem"
      aria-setsize={count}
      aria-posinset={row.index + 1}
      class={classes({
        row: true,
        unfolded: isUnfolded,
        current: isCurrent,
        lit: isLit,
        concerned: isConcerned,
        badged: hasBadge,
        found: isCurrent && props.words !== '',
      })}
      data-row={row.index}
      data-key={row.key}
      data-role={row.role}
      data-touched={row.touched}
      data-severity={severity}
      style={{ transform: `translateY(${top}px)` }}
      onPointerEnter={() => point({ kind: 'row', row: row.index })}
      onPointerLeave={() => point(undefined)}
    >
      <i class="notehead" aria-hidden="true" style={{ left: `${noteX(gutter, row.role)}px` }} />
      <button
        type="button"
        class="row-head"
        aria-expanded={isUnfolded}
        tabIndex={isCurrent ? 0 : -1}
        onClick={() => {
          props.onCurrent(row.index)
          props.onToggle(row.index)
        }}
        onFocus={() => point({ kind: 'row', row: row.index })}
        onBlur={() => point(undefined)}
      >
        <span class="row-line">
          <span class="role">{row.role}</span>
          <span class="chips">
            <Chips pieces={row.pieces} />
          </span>
          {row.touched && <span class={`touched ${row.touched}`}>{touchedWords[row.touched]}</span>}
          <span class="number" aria-hidden="true">
            {row.index + 1}
          </span>
        </span>
        <span class="words" dir="auto">
          {row.words === '' ? (
            <span class="no-words">no words</span>
          ) : (
            <MarkedWords text={row.words} words={props.words} />
          )}
        </span>
        <span class="sr-only">
          {row.marks.slice(0, spokenMax).map(mark => spoken(props.opened.marks[mark]))}
          {arcs.slice(0, spokenMax).map(arc => `${arcWords(arc, row.index)}. `)}
        </span>
      </button>
      {hasBadge && <Badge {...props} />}
      {isUnfolded && (
        <ContentView desk={props.desk} opened={props.opened} step={props.step} row={row} words={props.words} />
      )}
    </div>
  )
}

/** Where there is no room for a margin: the rule, to be opened. */
function Badge({ row, opened, isCurrent, onMark }: Props) {
  const first = opened.marks[row.marks[0]]
  if (!first) return null
  const more = row.marks.length - 1
  return (
    <button
      type="button"
      class={`badge ${first.severity}`}
      tabIndex={isCurrent ? 0 : -1}
      onClick={() => onMark(row.marks[0])}
    >
      <span class="sr-only">{first.severity}: </span>
      {first.rule}
      {more > 0 && ` +${more}`}
    </button>
  )
}

const spoken = (mark: Mark | undefined): string => (mark ? `${mark.severity}: ${mark.rule}. ` : '')

const worst = (here: readonly number[], marks: readonly Mark[]): Mark['severity'] | undefined =>
  here.some(mark => marks[mark]?.severity === 'error') ? 'error' : here.length > 0 ? 'warning' : undefined

const classes = (names: Readonly<Record<string, boolean>>): string =>
  Object.keys(names)
    .filter(name => names[name])
    .join(' ')
