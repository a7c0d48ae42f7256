import { useMemo, useRef } from 'preact/hooks'
import type { DiagnosticView } from '../../document-service.ts'
import { type Heights, topOf } from './heights.ts'
import { useSize } from './use-size.ts'

interface Props {
  readonly diagnostics: readonly DiagnosticView[]
  readonly target: number | undefined
  readonly heights: Heights
  /** The visible part: its upper edge and its height. */
  readonly from: number
  readonly tall: number
  readonly onJump: (top: number) => void
}

/** The whole list as a narrow strip with the positions of the diagnostics. With a keyboard, use the keys for diagnostics instead. */
export function Overview({ diagnostics, target, heights, from, tall, onJump }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const { height } = useSize(frame)
  const scale = height / Math.max(tall, topOf(heights, heights.count) + 40)
  const lines = useMemo(
    () => ({
      error: ticks(diagnostics, 'error', heights, scale),
      warning: ticks(diagnostics, 'warning', heights, scale),
    }),
    [diagnostics, heights, scale],
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

/** One line per pixel row, however many diagnostics are there. Errors are wide, warnings are narrow. */
function ticks(
  diagnostics: readonly DiagnosticView[],
  severity: DiagnosticView['severity'],
  heights: Heights,
  scale: number,
): string {
  const [x, width] = severity === 'error' ? [2, 10] : [5, 4]
  const places = new Set<number>()
  for (const {
    severity: own,
    rows: [row],
  } of diagnostics)
    if (own === severity && row !== undefined)
      places.add(Math.round((topOf(heights, row) + heights.folded / 2) * scale))
  return [...places].map(y => `M${x} ${y}h${width}`).join('')
}
