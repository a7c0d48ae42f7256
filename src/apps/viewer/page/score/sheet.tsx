import type { RefObject } from 'preact'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Arc, Desk, Opened, Row, Step } from '../../desk.ts'
import { EditNote } from '../compare/edit-note.tsx'
import { Margin } from '../margin/margin.tsx'
import { Arcs } from './arcs.tsx'
import { narrowGutter, wideGutter } from './gutter.ts'
import { heightsOf, rowAt, topOf } from './heights.ts'
import { litBy, type Pointed } from './lit.ts'
import { endSpace, foldedHeight, marginWidth, narrowWidth, overscan, quantum } from './measures.ts'
import { Overview } from './overview.tsx'
import { RowView } from './row-view.tsx'
import { rowsAt } from './rows-at.ts'
import { Staff } from './staff.tsx'
import { type SheetControl, useControl } from './use-control.ts'
import { useFolds } from './use-folds.ts'
import { useGoal } from './use-goal.ts'
import { usePrint } from './use-print.tsx'
import { useRoom } from './use-room.ts'
import { useSize } from './use-size.ts'
import { useSlide } from './use-slide.ts'
import { useWindow } from './use-window.ts'

interface Props {
  readonly desk: Desk
  readonly opened: Opened
  readonly step: number
  /** How many rows there will be, once all is read. */
  readonly total?: number
  readonly label: string
  /** What it is called on paper. */
  readonly title: string
  readonly current: number
  readonly currentMark: number | undefined
  readonly words: string
  readonly control: RefObject<SheetControl | null>
  /** The edit that led to this step: the sheet goes to the row it acts on. */
  readonly edit?: Step | undefined
  /** There is room beside the messages for what is wrong with them. */
  readonly hasMargin: boolean
  readonly onCurrent: (row: number) => void
  readonly onMark: (mark: number | undefined) => void
  readonly onScroll?: () => void
}

/** A conversation as it stands after some edits, from top to bottom, of which only what is on the screen is drawn. */
export function Sheet(props: Props) {
  const { desk, opened, step, control, edit, hasMargin, onCurrent, onMark } = props
  const target = edit?.after ?? edit?.before
  const scroller = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(scroller)
  const [scrolled, setScrolled] = useState(0)
  const [pointed, point] = useState<Pointed>()
  const folds = useFolds(desk, opened, step, foldedHeight)

  const count = Math.max(rowsAt(opened, step), props.total ?? 0)
  const wanted = useMemo(() => heightsOf(foldedHeight, count, folds.open), [count, folds.open])
  const goal = useGoal(scroller, opened, step, target, wanted, useRoom(height))
  const start = goal.current.top ?? scrolled
  const first = rowAt(wanted, start)
  const last = rowAt(wanted, start + height + 100)

  // Until the new rows are read, the last ones stay, at the places they had.
  const shown = useWindow(desk, opened, step, first, last, count)
  const isFresh = shown?.opened === opened && shown.step === step
  const drawn = shown?.opened ?? opened
  const rowCount = isFresh ? count : (shown?.count ?? count)
  const heights = isFresh ? wanted : heightsOf(foldedHeight, rowCount, folds.open)

  const kept = useRef<Row | undefined>(undefined)
  const inWindow = shown?.window.rows ?? []
  kept.current = inWindow.find(({ index }) => index === props.current) ?? kept.current
  const [low, high] = [rowAt(heights, scrolled) - overscan, rowAt(heights, scrolled + height + 100) + overscan]
  const rows = inWindow.filter(({ index }) => index >= low && index <= high)
  const pinned = kept.current
  // The row with the focus stays in the document when it is scrolled out of sight, so that the focus is not lost.
  if (shown && pinned?.index === props.current && !rows.some(({ index }) => index === pinned.index))
    rows.splice(pinned.index < low ? 0 : rows.length, 0, pinned)

  useLayoutEffect(() => {
    if (!isFresh || goal.current.top === undefined || !scroller.current) return
    scroller.current.scrollTop = goal.current.isEnd ? scroller.current.scrollHeight : goal.current.top
    goal.current = { ...goal.current, top: undefined }
    setScrolled(quantum(scroller.current.scrollTop))
  })
  usePrint({ desk, opened, step, title: props.title, count, unfolded: new Set(folds.open.keys()) })
  useSlide(scroller, shown?.opened, shown?.step ?? 0, rows, heights)

  const isNarrow = width < narrowWidth
  const gutter = isNarrow ? narrowGutter : wideGutter
  const arcs = shown?.window.arcs ?? []
  const lit = litBy(pointed, shown?.window ?? { rows: [], arcs: [] }, drawn.marks)
  const concerned = props.currentMark === undefined || step !== 0 ? [] : (drawn.marks[props.currentMark]?.rows ?? [])
  const noteAt = (row: number): number => topOf(heights, row) + foldedHeight / 2

  useControl(control, scroller, wanted, props.current, setScrolled)

  // What stands above the screen must not push it down when it is measured.
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
  // The sheet may have become so much shorter that what was in sight is behind its end.
  const edges = [Math.min(end, Math.max(0, scrolled - 300)), Math.min(end, scrolled + height + 500)] as const
  const arcsOf = arcsByRow(arcs)
  return (
    <section class="sheet-frame" aria-label={props.label} data-step={shown?.step} data-ready={isFresh || undefined}>
      <div
        ref={scroller}
        class={`sheet${isNarrow ? ' narrow' : ''}${hasMargin ? ' with-margin' : ''}`}
        style={{ '--gutter': `${gutter.width}px`, '--margin': hasMargin ? `${marginWidth}px` : '0px' }}
        onScroll={({ currentTarget }) => {
          setScrolled(quantum(currentTarget.scrollTop))
          props.onScroll?.()
        }}
      >
        <div class="space" style={{ height: `${total + endSpace}px` }}>
          <Staff gutter={gutter} />
          {shown && shown.to <= last && <Pending from={topOf(heights, shown.to)} to={total} />}
          {shown && shown.from > first && <Pending from={0} to={topOf(heights, shown.from)} />}
          {/* biome-ignore lint/a11y/useSemanticElements: see the rows */}
          <div role="list" class="rows" aria-label={props.label}>
            {rows.map(row => (
              <RowView
                key={row.key}
                desk={desk}
                step={shown?.step ?? step}
                row={row}
                count={rowCount}
                top={topOf(heights, row.index)}
                gutter={gutter}
                arcs={arcsOf.get(row.index) ?? []}
                opened={drawn}
                isCurrent={row.index === props.current}
                isUnfolded={folds.open.has(row.index)}
                isLit={lit.rows.has(row.index)}
                isConcerned={concerned.includes(row.index) || (edit?.after === row.index && isFresh)}
                hasMargin={hasMargin}
                words={props.words}
                onToggle={folds.toggle}
                onCurrent={onCurrent}
                onMark={onMark}
                onMeasure={measure}
                point={point}
              />
            ))}
          </div>
          <Arcs arcs={arcs} gutter={gutter} heightOf={noteAt} edges={edges} lit={lit} point={point} />
          {edit?.kind === 'remove' && isFresh && (
            <i class="gap" style={{ transform: `translateY(${topOf(heights, target ?? 0)}px)` }} />
          )}
          {hasMargin && edit && isFresh && (
            <EditNote edit={edit} mark={opened.marks[edit.mark]} top={topOf(heights, target ?? 0)} />
          )}
          {hasMargin && !edit && (
            <Margin
              rows={rows}
              marks={drawn.marks}
              topOf={row => topOf(heights, row)}
              currentMark={props.currentMark}
              lit={lit.marks}
              onMark={onMark}
              point={point}
            />
          )}
        </div>
      </div>
      <Overview
        marks={step === 0 ? opened.marks : []}
        target={target}
        heights={heights}
        from={scrolled}
        tall={height}
        onJump={top => scroller.current?.scrollTo({ top: top - height / 2 })}
      />
    </section>
  )
}

/** Rows that are not read yet. */
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
