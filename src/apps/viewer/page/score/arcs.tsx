import { useRef } from 'preact/hooks'
import type { Arc } from '../../desk.ts'
import { arcShape } from './arc-shape.ts'
import { arcWords } from './arc-words.ts'
import type { Gutter } from './gutter.ts'
import { arcName, assignLanes } from './lanes.ts'
import { type Lit, nothingLit, type Pointed } from './lit.ts'

interface Props {
  readonly arcs: readonly Arc[]
  readonly gutter: Gutter
  /** Where the note of a row stands. */
  readonly heightOf: (row: number) => number
  /** The stretch of the sheet that is drawn. */
  readonly edges: readonly [number, number]
  readonly lit?: Lit
  readonly point?: (pointed: Pointed | undefined) => void
}

/** The slurs of the score: each call joined to its result. What they say stands in words in the rows. */
export function Arcs({ arcs, gutter, heightOf, edges, lit = nothingLit, point }: Props) {
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
      {[...arcs].sort(calmFirst).map(arc => {
        const name = arcName(arc)
        const { line, end } = arcShape(arc, lanes.current.get(name) ?? 0, gutter, heightOf, edges)
        return (
          <g
            key={name}
            class={`arc ${arc.kind}${lit.arcs.has(name) ? ' lit' : ''}`}
            onPointerEnter={() => point?.({ kind: 'arc', arc })}
            onPointerLeave={() => point?.(undefined)}
          >
            <title>{arcWords(arc)}</title>
            <path class="reach" d={line} />
            <path class="stroke" d={line} data-arc={arc.kind} data-from={arc.from} data-to={arc.to} />
            {arc.kind === 'duplicate' && <path class="core" d={line} />}
            {end?.mark === 'ring' && <circle class="end" cx={end.x} cy={end.y} r="4" />}
            {end?.mark === 'pause' && <path class="end" d={`M${end.x - 2.5} ${end.y - 4}v8m5 -8v8`} />}
          </g>
        )
      })}
    </svg>
  )
}

/** Faults lie on top. */
const calmFirst = (one: Arc, other: Arc): number => Number(isCalm(other)) - Number(isCalm(one))
const isCalm = ({ kind }: Arc): boolean => kind === 'seated'
