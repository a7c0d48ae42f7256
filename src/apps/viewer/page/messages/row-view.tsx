import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Arc, DiagnosticView, DocumentService, MessageRow, OpenedDocument } from '../../document-service.ts'
import { ContentView } from '../content/content-view.tsx'
import { MarkedWords } from '../search/marked-words.tsx'
import { Chips } from './chips.tsx'
import { describeArc } from './describe-arc.ts'
import { type Gutter, markerX } from './gutter.ts'
import type { Pointed } from './highlight.ts'

interface Props {
  readonly service: DocumentService
  readonly opened: OpenedDocument
  readonly step: number
  readonly row: MessageRow
  readonly count: number
  readonly top: number
  readonly gutter: Gutter
  readonly arcs: readonly Arc[]
  readonly isCurrent: boolean
  readonly isUnfolded: boolean
  readonly isHighlighted: boolean
  readonly isConcerned: boolean
  readonly hasMargin: boolean
  readonly words: string
  readonly onToggle: (row: number) => void
  readonly onCurrent: (row: number) => void
  readonly onDiagnostic: (diagnostic: number) => void
  readonly onMeasure: (row: number, height: number) => void
  readonly point: (pointed: Pointed | undefined) => void
}

const touchedWords = { new: 'added', moved: 'moved', changed: 'changed' } as const

/** The maximum number of diagnostics and arcs that a screen reader gets for one message. */
const spokenMax = 12

/** One message in the list: its marker in the gutter, the start of its text, and the whole content when it is unfolded. */
export function RowView(props: Props) {
  const { row, count, top, gutter, arcs, isCurrent, isUnfolded, isHighlighted, isConcerned, point } = props
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

  const hasBadge = !props.hasMargin && row.diagnostics.length > 0
  const severity = worst(row.diagnostics, props.opened.diagnostics)
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, and most of the list is not in the document
    <div
      ref={element}
      role="listitem"
      aria-setsize={count}
      aria-posinset={row.index + 1}
      class={classes({
        row: true,
        unfolded: isUnfolded,
        current: isCurrent,
        highlight: isHighlighted,
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
      <i class="marker" aria-hidden="true" style={{ left: `${markerX(gutter, row.role)}px` }} />
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
            <span class="no-words">no text</span>
          ) : (
            <MarkedWords text={row.words} words={props.words} />
          )}
        </span>
        <span class="sr-only">
          {row.diagnostics.slice(0, spokenMax).map(diagnostic => spoken(props.opened.diagnostics[diagnostic]))}
          {arcs.slice(0, spokenMax).map(arc => `${describeArc(arc, row.index)}. `)}
        </span>
      </button>
      {hasBadge && <Badge {...props} />}
      {isUnfolded && (
        <ContentView service={props.service} opened={props.opened} step={props.step} row={row} words={props.words} />
      )}
    </div>
  )
}

/** Without a margin: a button with the rule. */
function Badge({ row, opened, isCurrent, onDiagnostic }: Props) {
  const [index = -1] = row.diagnostics
  const first = opened.diagnostics[index]
  if (!first) return null
  const more = row.diagnostics.length - 1
  return (
    <button
      type="button"
      class={`badge ${first.severity}`}
      tabIndex={isCurrent ? 0 : -1}
      onClick={() => onDiagnostic(index)}
    >
      <span class="sr-only">{first.severity}: </span>
      {first.rule}
      {more > 0 && ` +${more}`}
    </button>
  )
}

const spoken = (diagnostic: DiagnosticView | undefined): string =>
  diagnostic ? `${diagnostic.severity}: ${diagnostic.rule}. ` : ''

const worst = (
  here: readonly number[],
  diagnostics: readonly DiagnosticView[],
): DiagnosticView['severity'] | undefined =>
  here.some(diagnostic => diagnostics[diagnostic]?.severity === 'error')
    ? 'error'
    : here.length > 0
      ? 'warning'
      : undefined

const classes = (names: Readonly<Record<string, boolean>>): string =>
  Object.keys(names)
    .filter(name => names[name])
    .join(' ')
