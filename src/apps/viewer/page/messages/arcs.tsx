import { useRef } from 'preact/hooks'
import type { Arc } from '../../document-service.ts'
import { arcPath } from './arc-path.ts'
import { describeArc } from './describe-arc.ts'
import type { Gutter } from './gutter.ts'
import { type Highlight, noHighlight, type Pointed } from './highlight.ts'
import { arcKey, assignLanes } from './lanes.ts'

interface Props {
  readonly arcs: readonly Arc[]
  readonly gutter: Gutter
  /** The vertical position of the marker of a row. */
  readonly heightOf: (row: number) => number
  /** The vertical range that is drawn. */
  readonly edges: readonly [number, number]
  readonly highlight?: Highlight
  readonly point?: (pointed: Pointed | undefined) => void
}

/** The lines from calls to results. The rows contain the same information as text. */
export function Arcs({ arcs, gutter, heightOf, edges, highlight = noHighlight, point }: Props) {
  const lanes = useRef<ReadonlyMap<string, number>>(new Map())
  lanes.current = assignLanes(arcs, lanes.current)
  const [top, bottom] = edges
  return (
    <svg
      class="arcs"
      aria-hidden="true"
      width={gutter.width}
      height={bottom - top}
      viewBox={`0 ${top} ${gutter.width} ${bottom - top}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      {[...arcs].sort(pairedFirst).map(arc => {
        const name = arcKey(arc)
        const { line, end } = arcPath(arc, lanes.current.get(name) ?? 0, gutter, heightOf, edges)
        return (
          <g
            key={name}
            class={`arc ${arc.kind}${highlight.arcs.has(name) ? ' highlighted' : ''}`}
            onPointerEnter={() => point?.({ kind: 'arc', arc })}
            onPointerLeave={() => point?.(undefined)}
          >
            <title>{describeArc(arc)}</title>
            <path class="reach" d={line} />
            <path class="stroke" d={line} data-arc={arc.kind} data-from={arc.from} data-to={arc.to} />
            {arc.kind === 'duplicate' && <path class="core" d={line} />}
            {end?.symbol === 'ring' && <circle class="end" cx={end.x} cy={end.y} r="4" />}
            {end?.symbol === 'pause' && <path class="end" d={`M${end.x - 2.5} ${end.y - 4}v8m5 -8v8`} />}
          </g>
        )
      })}
    </svg>
  )
}

/** Errors are drawn on top. */
const pairedFirst = (one: Arc, other: Arc): number => Number(isPaired(other)) - Number(isPaired(one))
const isPaired = ({ kind }: Arc): boolean => kind === 'paired'
