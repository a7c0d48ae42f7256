import type { Arc, Row } from '../../desk.ts'
import { type Gutter, laneX, noteX } from './gutter.ts'
import { arcName, span } from './lanes.ts'

interface Props {
  readonly row: Row
  readonly arcs: readonly Arc[]
  readonly lanes: ReadonlyMap<string, number>
  readonly gutter: Gutter
}

/** Where the note of a printed row stands, and where an arc has reached its lane. */
const noteY = 12
const bend = 16

/** What is seen of the arcs beside one printed row: they begin, pass or end there, however tall the row is. */
export function PrintGutter({ row, arcs, lanes, gutter }: Props) {
  const note = noteX(gutter, row.role)
  return (
    <svg class="print-gutter" width={gutter.width} aria-hidden="true">
      {arcs.map(arc => {
        const name = arcName(arc)
        const x = laneX(gutter, lanes.get(name) ?? 0)
        const { from, to } = span(arc)
        const isOpenEnd = arc.to === undefined
        const isOpenStart = arc.from === undefined
        if (isOpenEnd || isOpenStart)
          return (
            <g key={name} class={`arc ${arc.kind}`}>
              <path class="stroke" d={curve(note, x, noteY, isOpenEnd ? noteY + bend : 3)} />
              <circle class="end" cx={x} cy={isOpenEnd ? noteY + bend : 3} r="2.5" />
            </g>
          )
        return (
          <g key={name} class={`arc ${arc.kind}`}>
            {row.index === from && <path class="stroke" d={curve(note, x, noteY, noteY + bend)} />}
            {row.index === from && <line class="stroke" x1={x} x2={x} y1={noteY + bend} y2="100%" />}
            {row.index > from && row.index < to && <line class="stroke" x1={x} x2={x} y1="0" y2="100%" />}
            {row.index === to && from !== to && <path class="stroke" d={curve(note, x, noteY, 0)} />}
          </g>
        )
      })}
      <circle class={`print-note ${row.role}`} cx={note} cy={noteY} r="4" />
    </svg>
  )
}

const curve = (note: number, x: number, from: number, to: number): string =>
  `M${note + 6} ${from}C${(note + x) / 2 + 6} ${from} ${x} ${(from + to) / 2} ${x} ${to}`
