import type { MessageWindow } from '../../document-service.ts'
import { arcPath } from '../messages/arc-path.ts'
import { markerX, wideGutter } from '../messages/gutter.ts'
import { arcKey, assignLanes } from '../messages/lanes.ts'

/** A miniature has smaller and closer rows than the list. */
const rowHeight = 32
const scale = 0.48
const width = 112

/** A small drawing of a history: markers and arcs, no text. */
export function Miniature({ window: { rows, arcs } }: { readonly window: MessageWindow }) {
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
        const { line, end } = arcPath(arc, lanes.get(arcKey(arc)) ?? 0, wideGutter, heightOf, [0, height])
        return (
          <g key={arcKey(arc)} class={`arc ${arc.kind}`}>
            <path class="stroke" d={line} />
            {arc.kind === 'duplicate' && <path class="core" d={line} />}
            {end && <circle class="end" cx={end.x} cy={end.y} r="5" />}
          </g>
        )
      })}
      {rows.map(row => (
        <circle
          key={row.key}
          class={`print-marker ${row.role}`}
          cx={markerX(wideGutter, row.role)}
          cy={heightOf(row.index)}
          r="7"
        />
      ))}
    </svg>
  )
}
