import type { SheetWindow } from '../../desk.ts'
import { arcShape } from '../score/arc-shape.ts'
import { noteX, wideGutter } from '../score/gutter.ts'
import { arcName, assignLanes } from '../score/lanes.ts'

/** Rows of a miniature stand closer than on a sheet, and all of it is smaller. */
const rowHeight = 32
const scale = 0.48
const width = 112

/** A score small enough for a list: notes and arcs, no words. */
export function Miniature({ window: { rows, arcs } }: { readonly window: SheetWindow }) {
  const height = rows.length * rowHeight
  const heightOf = (row: number): number => (row + 0.5) * rowHeight
  const lanes = assignLanes(arcs, new Map())
  return (
    <svg
      class="miniature"
      aria-hidden="true"
      width={width * scale}
      height={height * scale}
      viewBox={`0 0 ${width} ${height}`}
    >
      {arcs.map(arc => {
        const { line, end } = arcShape(arc, lanes.get(arcName(arc)) ?? 0, wideGutter, heightOf, [0, height])
        return (
          <g key={arcName(arc)} class={`arc ${arc.kind}`}>
            <path class="stroke" d={line} />
            {arc.kind === 'duplicate' && <path class="core" d={line} />}
            {end && <circle class="end" cx={end.x} cy={end.y} r="5" />}
          </g>
        )
      })}
      {rows.map(row => (
        <circle
          key={row.key}
          class={`print-note ${row.role}`}
          cx={noteX(wideGutter, row.role)}
          cy={heightOf(row.index)}
          r="7"
        />
      ))}
    </svg>
  )
}
