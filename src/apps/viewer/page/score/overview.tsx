import { useMemo, useRef } from 'preact/hooks'
import type { Mark } from '../../desk.ts'
import { type Heights, topOf } from './heights.ts'
import { useSize } from './use-size.ts'

interface Props {
  readonly marks: readonly Mark[]
  readonly target: number | undefined
  readonly heights: Heights
  /** What is on the screen. */
  readonly from: number
  readonly tall: number
  readonly onJump: (top: number) => void
}

/** The whole sheet in a narrow strip, with the places of the diagnostics. Keys go from one to the next instead. */
export function Overview({ marks, target, heights, from, tall, onJump }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const { height } = useSize(frame)
  const scale = height / Math.max(tall, topOf(heights, heights.count) + 40)
  const lines = useMemo(
    () => ({ error: ticks(marks, 'error', heights, scale), warning: ticks(marks, 'warning', heights, scale) }),
    [marks, heights, scale],
  )
  const jump = ({ clientY }: PointerEvent): void =>
    onJump((clientY - (frame.current?.getBoundingClientRect().top ?? 0)) / scale)
  return (
    <div
      ref={frame}
      class="overview"
      aria-hidden="true"
      onPointerDown={jump}
      onPointerMove={event => event.buttons === 1 && jump(event)}
    >
      <svg width="14" height={height} aria-hidden="true">
        <path class="warning" d={lines.warning} />
        <path class="error" d={lines.error} />
      </svg>
      {scale * tall < height - 1 && (
        <i class="glass" style={{ top: `${from * scale}px`, height: `${Math.max(12, tall * scale)}px` }} />
      )}
      {target !== undefined && <i class="target" style={{ top: `${topOf(heights, target) * scale}px` }} />}
    </div>
  )
}

/** Many marks fall on one line of the strip, which is drawn once. Errors are wide, warnings are not. */
function ticks(marks: readonly Mark[], severity: Mark['severity'], heights: Heights, scale: number): string {
  const [x, width] = severity === 'error' ? [2, 10] : [5, 4]
  const places = new Set<number>()
  for (const mark of marks)
    if (mark.severity === severity && mark.rows.length > 0)
      places.add(Math.round((topOf(heights, mark.rows[0]) + heights.folded / 2) * scale))
  return [...places].map(y => `M${x} ${y}h${width}`).join('')
}
