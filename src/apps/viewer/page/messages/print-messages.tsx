import type { Arc, DocumentService, MessageWindow, OpenedDocument } from '../../document-service.ts'
import { ContentView } from '../content/content-view.tsx'
import { Chips } from './chips.tsx'
import { narrowGutter } from './gutter.ts'
import { assignLanes, rowRange } from './lanes.ts'
import { PrintGutter } from './print-gutter.tsx'
import { limitArcs } from './use-window.ts'

interface Props {
  readonly service: DocumentService
  readonly opened: OpenedDocument
  readonly step: number
  readonly title: string
  readonly count: number
  readonly window: MessageWindow
  readonly unfolded: ReadonlySet<number>
}

/** The list for printing: every row with its diagnostics, and the content of unfolded rows. */
export function PrintMessages({ service, opened, step, title, count, window, unfolded }: Props) {
  const { rows, arcs } = limitArcs(window)
  const lanes = assignLanes(arcs, new Map())
  const crossing = arcsAcross(arcs, rows.length)
  return (
    <section class="print-messages">
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
          {row.diagnostics.slice(0, diagnosticsMax).map(diagnostic => (
            <p key={diagnostic} class={`print-diagnostic ${opened.diagnostics[diagnostic]?.severity}`}>
              <strong>
                {opened.diagnostics[diagnostic]?.severity} {opened.diagnostics[diagnostic]?.rule}
              </strong>
              : {opened.diagnostics[diagnostic]?.message}. {opened.diagnostics[diagnostic]?.help}
            </p>
          ))}
          {row.diagnostics.length > diagnosticsMax && (
            <p class="print-diagnostic">
              and {(row.diagnostics.length - diagnosticsMax).toLocaleString('en')} more here
            </p>
          )}
          {unfolded.has(row.index) && <ContentView service={service} opened={opened} step={step} row={row} words="" />}
        </div>
      ))}
    </section>
  )
}

/** Limits for a message with thousands of diagnostics, and for a row that thousands of arcs pass. */
const diagnosticsMax = 50
const passingMax = 24

/** For each row, the arcs next to it. */
function arcsAcross(arcs: readonly Arc[], count: number): readonly (readonly Arc[])[] {
  const crossing: Arc[][] = Array.from({ length: count }, () => [])
  for (const arc of arcs) {
    const { from, to } = arc.from === undefined ? { from: arc.to ?? 0, to: arc.to ?? 0 } : rowRange(arc)
    for (let row = from; row <= Math.min(to, count - 1); row++)
      if (row === from || row === to || (crossing[row]?.length ?? 0) < passingMax) crossing[row]?.push(arc)
  }
  return crossing
}
