import type { RefObject } from 'preact'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Arc, DocumentService, EditStep, MessageRow, OpenedDocument } from '../../document-service.ts'
import { EditNote } from '../compare/edit-note.tsx'
import { Margin } from '../margin/margin.tsx'
import { Arcs } from './arcs.tsx'
import { narrowGutter, wideGutter } from './gutter.ts'
import { GutterLines } from './gutter-lines.tsx'
import { heightsOf, rowAt, rowsAt, topOf } from './heights.ts'
import { highlightFor, type Pointed } from './highlight.ts'
import { endSpace, foldedHeight, marginWidth, narrowWidth, overscan, quantum } from './layout.ts'
import { Overview } from './overview.tsx'
import { RowView } from './row-view.tsx'
import { useEditAnimation } from './use-edit-animation.ts'
import { useFolds } from './use-folds.ts'
import { type ListControl, useListControl } from './use-list-control.ts'
import { usePrint } from './use-print.tsx'
import { useMaxHeight, useScrollTarget } from './use-scroll-target.ts'
import { useSize } from './use-size.ts'
import { useWindow } from './use-window.ts'

interface Props {
  readonly service: DocumentService
  readonly opened: OpenedDocument
  readonly step: number
  /** The final number of rows, while only the first ones are loaded. */
  readonly total?: number
  readonly label: string
  /** The title for printing. */
  readonly title: string
  readonly current: number
  readonly currentDiagnostic: number | undefined
  readonly words: string
  readonly control: RefObject<ListControl | null>
  /** The edit that led to this step: the list scrolls to its row. */
  readonly edit?: EditStep | undefined
  /** The diagnostics are shown in a margin next to the messages. */
  readonly hasMargin: boolean
  readonly onCurrent: (row: number) => void
  readonly onDiagnostic: (diagnostic: number | undefined) => void
  readonly onScroll?: () => void
}

/** The messages after the first `step` edits, as a virtual list: only the rows on the screen are drawn. */
export function MessageList(props: Props) {
  const { service, opened, step, control, edit, hasMargin, onCurrent, onDiagnostic } = props
  const target = edit?.after ?? edit?.before
  const scroller = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(scroller)
  const [scrolled, setScrolled] = useState(0)
  const [pointed, point] = useState<Pointed>()
  const folds = useFolds(service, opened, step, foldedHeight)

  const count = Math.max(rowsAt(opened, step), props.total ?? 0)
  const wanted = useMemo(() => heightsOf(foldedHeight, count, folds.open), [count, folds.open])
  const scrollTarget = useScrollTarget(scroller, opened, step, target, wanted, useMaxHeight(height))
  const start = scrollTarget.current.top ?? scrolled
  const first = rowAt(wanted, start)
  const last = rowAt(wanted, start + height + 100)

  // Until the new rows are loaded, the old ones stay in place.
  const shown = useWindow(service, opened, step, first, last, count)
  const isFresh = shown?.opened === opened && shown.step === step
  const drawn = shown?.opened ?? opened
  const rowCount = isFresh ? count : (shown?.count ?? count)
  const heights = isFresh ? wanted : heightsOf(foldedHeight, rowCount, folds.open)

  const kept = useRef<MessageRow | undefined>(undefined)
  const inWindow = shown?.window.rows ?? []
  kept.current = inWindow.find(({ index }) => index === props.current) ?? kept.current
  const [low, high] = [rowAt(heights, scrolled) - overscan, rowAt(heights, scrolled + height + 100) + overscan]
  const rows = inWindow.filter(({ index }) => index >= low && index <= high)
  const pinned = kept.current
  // The row with the focus stays in the document when it is scrolled out of view, so that the focus is not lost.
  if (shown && pinned?.index === props.current && !rows.some(({ index }) => index === pinned.index))
    rows.splice(pinned.index < low ? 0 : rows.length, 0, pinned)

  useLayoutEffect(() => {
    if (!isFresh || scrollTarget.current.top === undefined || !scroller.current) return
    scroller.current.scrollTop = scrollTarget.current.isEnd ? scroller.current.scrollHeight : scrollTarget.current.top
    scrollTarget.current = { ...scrollTarget.current, top: undefined }
    setScrolled(quantum(scroller.current.scrollTop))
  })
  usePrint({ service, opened, step, title: props.title, count, unfolded: new Set(folds.open.keys()) })
  useEditAnimation(scroller, shown?.opened, shown?.step ?? 0, rows, heights)

  const isNarrow = width < narrowWidth
  const gutter = isNarrow ? narrowGutter : wideGutter
  const arcs = shown?.window.arcs ?? []
  const highlight = highlightFor(pointed, shown?.window ?? { rows: [], arcs: [] }, drawn.diagnostics)
  const concerned =
    props.currentDiagnostic === undefined || step !== 0 ? [] : (drawn.diagnostics[props.currentDiagnostic]?.rows ?? [])
  const markerAt = (row: number): number => topOf(heights, row) + foldedHeight / 2

  useListControl(control, scroller, wanted, props.current, setScrolled)

  // When a row above the screen changes its height, the scroll position is adjusted.
  const measure = useCallback(
    (row: number, tall: number): void => {
      const element = scroller.current
      const was = folds.open.get(row)
      if (element && was !== undefined && was !== tall && topOf(heights, row) + was < element.scrollTop)
        element.scrollTop += tall - was
      folds.measure(row, tall)
    },
    [folds.open, folds.measure, heights],
  )

  const total = topOf(heights, rowCount)
  const end = Math.max(total, foldedHeight)
  // The list may have become so short that the old scroll position is after its end.
  const edges = [Math.min(end, Math.max(0, scrolled - 300)), Math.min(end, scrolled + height + 500)] as const
  const arcsOf = arcsByRow(arcs)
  return (
    <section class="message-frame" aria-label={props.label} data-step={shown?.step} data-ready={isFresh || undefined}>
      <div
        ref={scroller}
        class={`message-list${isNarrow ? ' narrow' : ''}${hasMargin ? ' with-margin' : ''}`}
        style={{ '--gutter': `${gutter.width}px`, '--margin': hasMargin ? `${marginWidth}px` : '0px' }}
        onScroll={({ currentTarget }) => {
          setScrolled(quantum(currentTarget.scrollTop))
          props.onScroll?.()
        }}
      >
        <div class="space" style={{ height: `${total + endSpace}px` }}>
          <GutterLines gutter={gutter} />
          {shown && shown.to <= last && <Pending from={topOf(heights, shown.to)} to={total} />}
          {shown && shown.from > first && <Pending from={0} to={topOf(heights, shown.from)} />}
          {/* biome-ignore lint/a11y/useSemanticElements: see the rows */}
          <div role="list" class="rows" aria-label={props.label}>
            {rows.map(row => (
              <RowView
                key={row.key}
                service={service}
                step={shown?.step ?? step}
                row={row}
                count={rowCount}
                top={topOf(heights, row.index)}
                gutter={gutter}
                arcs={arcsOf.get(row.index) ?? []}
                opened={drawn}
                isCurrent={row.index === props.current}
                isUnfolded={folds.open.has(row.index)}
                isHighlighted={highlight.rows.has(row.index)}
                isConcerned={concerned.includes(row.index) || (edit?.after === row.index && isFresh)}
                hasMargin={hasMargin}
                words={props.words}
                onToggle={folds.toggle}
                onCurrent={onCurrent}
                onDiagnostic={onDiagnostic}
                onMeasure={measure}
                point={point}
              />
            ))}
          </div>
          <Arcs arcs={arcs} gutter={gutter} heightOf={markerAt} edges={edges} highlight={highlight} point={point} />
          {edit?.kind === 'remove' && isFresh && (
            <i class="gap" style={{ transform: `translateY(${topOf(heights, target ?? 0)}px)` }} />
          )}
          {hasMargin && edit && isFresh && (
            <EditNote edit={edit} diagnostic={opened.diagnostics[edit.diagnostic]} top={topOf(heights, target ?? 0)} />
          )}
          {hasMargin && !edit && (
            <Margin
              rows={rows}
              diagnostics={drawn.diagnostics}
              topOf={row => topOf(heights, row)}
              currentDiagnostic={props.currentDiagnostic}
              highlight={highlight.diagnostics}
              onDiagnostic={onDiagnostic}
              point={point}
            />
          )}
        </div>
      </div>
      <Overview
        diagnostics={step === 0 ? opened.diagnostics : []}
        target={target}
        heights={heights}
        from={scrolled}
        tall={height}
        onJump={top => scroller.current?.scrollTo({ top: top - height / 2 })}
      />
    </section>
  )
}

/** Rows that are not loaded yet. */
const Pending = ({ from, to }: { readonly from: number; readonly to: number }) => (
  <i class="pending" style={{ top: `${from}px`, height: `${Math.max(0, to - from)}px` }} />
)

function arcsByRow(arcs: readonly Arc[]): ReadonlyMap<number, readonly Arc[]> {
  const byRow = new Map<number, Arc[]>()
  for (const arc of arcs)
    for (const row of new Set([arc.from, arc.to]))
      if (row !== undefined)
        byRow
          .set(row, byRow.get(row) ?? [])
          .get(row)
          ?.push(arc)
  return byRow
}
