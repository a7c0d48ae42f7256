import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DialectId } from '../../../../core/dialects/index.ts'
import type { Desk } from '../../desk.ts'
import { ModeSwitch } from '../compare/mode-switch.tsx'
import { SaveHealed } from '../compare/save-healed.tsx'
import { SideBySide } from '../compare/side-by-side.tsx'
import { StepBar } from '../compare/step-bar.tsx'
import { MarkDock } from '../margin/mark-dock.tsx'
import { MarkList } from '../margin/mark-list.tsx'
import { MarkTour } from '../margin/mark-tour.tsx'
import { orderOf } from '../margin/order-of.ts'
import { Matrix } from '../readers/matrix.tsx'
import { ReaderSwitch } from '../readers/reader-switch.tsx'
import { useVerdicts } from '../readers/use-verdicts.ts'
import { VerdictLine } from '../readers/verdict-line.tsx'
import { Legend } from '../score/legend.tsx'
import { rowsAt } from '../score/rows-at.ts'
import { Sheet } from '../score/sheet.tsx'
import type { SheetControl, Wish } from '../score/use-control.ts'
import { useSize } from '../score/use-size.ts'
import { SearchBar } from '../search/search-bar.tsx'
import { useSearch } from '../search/use-search.ts'
import { type Address, type Mode, modes } from './address.ts'
import { Facts } from './facts.tsx'
import { documentNames, type OpenDocument } from './use-document.ts'
import { useKeys } from './use-keys.ts'

interface Props {
  readonly desk: Desk
  readonly present: OpenDocument
  readonly address: Address
  readonly onAddress: (change: Partial<Address>) => void
  readonly onReader: (reader: DialectId) => void
  /** What stands between the head and the sheet: what goes on in a thread. */
  readonly children?: ComponentChildren
}

/** How wide the page must be for a margin beside the messages. */
const marginFrom = 860

/** A conversation: what is known of it, how it is looked at, and the sheet. */
export function DocumentView({ desk, present, address, onAddress, onReader, children }: Props) {
  const { opened, document, isHead } = present
  const end = opened.steps.length
  const mode: Mode = end === 0 ? 'before' : address.mode
  const step = mode === 'after' ? end : mode === 'steps' ? Math.min(address.step, end) : 0
  const count = rowsAt(opened, step)
  const current = Math.min(address.row, Math.max(0, count - 1))
  const [mark, setMark] = useState<number>()
  const [panel, setPanel] = useState<'matrix' | 'marks'>()
  const control = useRef<SheetControl>(null)
  const field = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const { width } = useSize(frame)
  const hasMargin = width >= marginFrom && mode !== 'side' && (isHead || opened.marks.length > 0)
  const verdicts = useVerdicts(desk, opened, document)

  const setRow = useCallback((row: number): void => onAddress({ row }), [onAddress])
  const goTo = useCallback(
    (row: number, wish?: Wish): void => {
      setRow(row)
      control.current?.reveal(row, wish)
    },
    [setRow],
  )
  const search = useSearch(desk, opened, step, current, goTo)
  const setStep = useCallback((step: number): void => onAddress({ step, mode: 'steps' }), [onAddress])
  const setMode = async (next: Mode): Promise<void> => {
    if (end === 0) return
    const to = next === 'after' ? end : next === 'steps' ? Math.min(address.step, end) : 0
    const seen = control.current?.sees(current) === false ? control.current.top().row : current
    onAddress({ mode: next, row: seen })
    const row = await desk.follow(step, seen, to)
    if (row !== undefined) onAddress({ row })
  }

  // Where a diagnostic is shown below the sheet, it takes some of its room: the row is gone to when that is known.
  const wish = useRef<(Wish & { readonly row: number }) | undefined>(undefined)
  useLayoutEffect(() => {
    if (wish.current) control.current?.reveal(wish.current.row, wish.current)
    wish.current = undefined
  })
  const openMark = useCallback(
    (next: number | undefined, focus?: boolean): void => {
      setMark(next)
      const row = next === undefined ? undefined : opened.marks[next]?.rows[0]
      if (row === undefined) return
      wish.current = { row, focus: focus === true, ample: true }
      onAddress(mode === 'after' || mode === 'steps' ? { mode: 'before', row } : { row })
    },
    [opened, mode, onAddress],
  )
  const order = useMemo(() => orderOf(opened.marks), [opened])
  const firstFault = order.find(mark => opened.marks[mark].severity === 'error') ?? order[0]
  const tour = (by: 1 | -1, focus?: boolean): void => {
    const { length } = order
    const at = mark === undefined ? (by === 1 ? -1 : length) : order.indexOf(mark)
    if (length > 0) openMark(order[(at + by + length) % length], focus)
  }

  // The first screen shows the first fault, opened; a place in the address comes before it, and so does whoever has scrolled.
  const isFirst = useRef(true)
  useEffect(() => {
    if (isHead || width === 0 || !isFirst.current) return
    isFirst.current = false
    if (firstFault === undefined || mode !== 'before' || !control.current) return
    const { rows, severity } = opened.marks[firstFault]
    const isSeen = control.current.sees(rows[0] ?? 0)
    const mayGo = severity === 'error' && address.row === 0 && control.current.sees(0)
    if (isSeen && hasMargin) setMark(firstFault)
    else if (!isSeen && mayGo && hasMargin) openMark(firstFault)
    else if (!isSeen && mayGo) goTo(rows[0] ?? 0, { ample: true })
  }, [isHead, opened, mode, hasMargin, width, firstFault, address.row, openMark, goTo])
  useEffect(() => {
    if (mark !== undefined && mark >= opened.marks.length) setMark(undefined)
  }, [opened, mark])

  const move = (to: number): void => goTo(Math.max(0, Math.min(count - 1, to)), { focus: true })
  useKeys({
    j: () => move(nextFrom(1)),
    k: () => move(nextFrom(-1)),
    ArrowDown: () => move(nextFrom(1)),
    ArrowUp: () => move(nextFrom(-1)),
    PageDown: () => move(nextFrom(10)),
    PageUp: () => move(nextFrom(-10)),
    Home: () => move(0),
    End: () => move(count - 1),
    n: () => tour(1, true),
    p: () => tour(-1, true),
    '/': () => field.current?.focus(),
    '[': () => end > 0 && setStep(Math.max(0, step - 1)),
    ']': () => end > 0 && setStep(Math.min(end, step + 1)),
    ...Object.fromEntries(modes.map((mode, index) => [index + 1, () => setMode(mode)])),
  })
  function nextFrom(by: number): number {
    return control.current?.sees(current) === false ? control.current.top().row : current + by
  }

  const edit = mode === 'steps' ? opened.steps[step - 1] : undefined
  const shared = {
    desk,
    opened,
    title: document.name,
    words: search.words,
    control,
    current,
    currentMark: mark,
    onCurrent: setRow,
  }
  return (
    <div class="document" ref={frame} {...documentNames(present)}>
      <p class="sr-only" role="status">
        {mark !== undefined && opened.marks[mark] && `${opened.marks[mark].rule}: ${opened.marks[mark].message}`}
      </p>
      <header class="document-head">
        <Facts present={present} />
        <div class="document-readers">
          <ReaderSwitch readers={opened.readers} reader={opened.reader} onReader={onReader} />
          <VerdictLine
            verdicts={verdicts}
            count={opened.readers.length}
            reader={opened.reader}
            isPast={mode === 'after'}
            onOpen={() => setPanel('matrix')}
          />
        </div>
      </header>
      {children}
      <div class="tools">
        {end > 0 && <ModeSwitch mode={mode} onMode={setMode} />}
        {!isHead && (
          <MarkTour
            healedBy={mode === 'after' ? end : undefined}
            marks={opened.marks}
            place={mark === undefined ? undefined : order.indexOf(mark)}
            onGo={tour}
            onList={() => setPanel('marks')}
          />
        )}
        <SearchBar search={search} field={field} />
        {end > 0 && document.kind !== 'stored' && <SaveHealed desk={desk} name={document.name} />}
      </div>
      {mode === 'steps' && <StepBar opened={opened} step={step} onStep={setStep} />}
      {mode === 'side' ? (
        <SideBySide {...shared} onMark={openMark} />
      ) : (
        <Sheet
          {...shared}
          step={step}
          hasMargin={hasMargin}
          label="Messages"
          edit={edit}
          onMark={openMark}
          {...(isHead && 'total' in document && document.total !== undefined && { total: document.total })}
        />
      )}
      {!isHead && (
        <div class="legend-bar">
          <Legend />
        </div>
      )}
      {!hasMargin && <MarkDock marks={opened.marks} current={mark} onGo={tour} onMark={setMark} />}
      {panel === 'matrix' && (
        <Matrix
          verdicts={verdicts}
          count={opened.readers.length}
          reader={opened.reader}
          onReader={onReader}
          onClose={() => setPanel(undefined)}
        />
      )}
      {panel === 'marks' && <MarkList marks={opened.marks} onMark={openMark} onClose={() => setPanel(undefined)} />}
    </div>
  )
}
