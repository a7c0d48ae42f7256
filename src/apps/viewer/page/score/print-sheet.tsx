import type { Arc, Desk, Opened, SheetWindow } from '../../desk.ts'
import { ContentView } from '../content/content-view.tsx'
import { Chips } from './chips.tsx'
import { narrowGutter } from './gutter.ts'
import { assignLanes, span } from './lanes.ts'
import { PrintGutter } from './print-gutter.tsx'
import { withinReason } from './use-window.ts'

interface Props {
  readonly desk: Desk
  readonly opened: Opened
  readonly step: number
  readonly title: string
  readonly count: number
  readonly window: SheetWindow
  readonly unfolded: ReadonlySet<number>
}

/** The sheet on paper: every row, with what is wrong under it, and contents where they were unfolded. */
export function PrintSheet({ desk, opened, step, title, count, window, unfolded }: Props) {
  const { rows, arcs } = withinReason(window)
  const lanes = assignLanes(arcs, new Map())
  const crossing = arcsAcross(arcs, rows.length)
  return (
    <section class="print-sheet">
      <h1>{title}</h1>
      {rows.length < count && (
        <p>
          The first {rows.length.toLocaleString('en')} of {count.toLocaleString('en')} messages.
        </p>
      )}
      {rows.map(row => (
        <div key={row.key} class="print-row" data-role={row.role}>
          <PrintGutter row={row} arcs={crossing[row.index] ?? []} lanes={lanes} gutter={narrowGutter} />
          <p class="print-line">
            <span class="role">{row.role}</span> <Chips pieces={row.pieces} />{' '}
            <span class="number">{row.index + 1}</span>
          </p>
          {!unfolded.has(row.index) && <p>{row.words}</p>}
          {row.marks.slice(0, marksMax).map(mark => (
            <p key={mark} class={`print-mark ${opened.marks[mark]?.severity}`}>
              <strong>
                {opened.marks[mark]?.severity} {opened.marks[mark]?.rule}
              </strong>
              : {opened.marks[mark]?.message}. {opened.marks[mark]?.help}
            </p>
          ))}
          {row.marks.length > marksMax && (
            <p class="print-mark">and {(row.marks.length - marksMax).toLocaleString('en')} more here</p>
          )}
          {unfolded.has(row.index) && <ContentView desk={desk} opened={opened} step={step} row={row} words="" />}
        </div>
      ))}
    </section>
  )
}

/** What is printed of a message that has thousands of faults, and of a place that thousands of arcs pass. */
const marksMax = 50
const passingMax = 24

/** For each row, the arcs that are seen beside it. */
function arcsAcross(arcs: readonly Arc[], count: number): readonly (readonly Arc[])[] {
  const crossing: Arc[][] = Array.from({ length: count }, () => [])
  for (const arc of arcs) {
    const { from, to } = arc.from === undefined ? { from: arc.to ?? 0, to: arc.to ?? 0 } : span(arc)
    for (let row = from; row <= Math.min(to, count - 1); row++)
      if (row === from || row === to || (crossing[row]?.length ?? 0) < passingMax) crossing[row]?.push(arc)
  }
  return crossing
}
