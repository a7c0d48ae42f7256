import type { Arc, MessageRow } from '../../document-service.ts'
import { type Gutter, laneX, markerX } from './gutter.ts'
import { arcKey, rowRange } from './lanes.ts'

interface Props {
  readonly row: MessageRow
  readonly arcs: readonly Arc[]
  readonly lanes: ReadonlyMap<string, number>
  readonly gutter: Gutter
}

/** The position of the marker of a printed row, and the height in which an arc reaches its lane. */
const markerY = 12
const bend = 16

/** The parts of the arcs next to one printed row: they start, pass or end there, whatever the height of the row. */
export function PrintGutter({ row, arcs, lanes, gutter }: Props) {
  const note = markerX(gutter, row.role)
  return (
    <svg class="print-gutter" width={gutter.width} aria-hidden="true">
      {arcs.map(arc => {
        const name = arcKey(arc)
        const x = laneX(gutter, lanes.get(name) ?? 0)
        const { from, to } = rowRange(arc)
        const isOpenEnd = arc.to === undefined
        const isOpenStart = arc.from === undefined
        if (isOpenEnd || isOpenStart)
          return (
            <g key={name} class={`arc ${arc.kind}`}>
              <path class="stroke" d={curve(note, x, markerY, isOpenEnd ? markerY + bend : 3)} />
              <circle class="end" cx={x} cy={isOpenEnd ? markerY + bend : 3} r="2.5" />
            </g>
          )
        return (
          <g key={name} class={`arc ${arc.kind}`}>
            {row.index === from && <path class="stroke" d={curve(note, x, markerY, markerY + bend)} />}
            {row.index === from && <line class="stroke" x1={x} x2={x} y1={markerY + bend} y2="100%" />}
            {row.index > from && row.index < to && <line class="stroke" x1={x} x2={x} y1="0" y2="100%" />}
            {row.index === to && from !== to && <path class="stroke" d={curve(note, x, markerY, 0)} />}
          </g>
        )
      })}
      <circle class={`print-marker ${row.role}`} cx={note} cy={markerY} r="4" />
    </svg>
  )
}

const curve = (note: number, x: number, from: number, to: number): string =>
  `M${note + 6} ${from}C${(note + x) / 2 + 6} ${from} ${x} ${(from + to) / 2} ${x} ${to}`
