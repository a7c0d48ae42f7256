import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { MessageRow, OpenedDocument } from '../../document-service.ts'
import { type Heights, topOf } from './heights.ts'

const timing: KeyframeAnimationOptions = { duration: 520, easing: 'cubic-bezier(0.3, 0.1, 0.2, 1)' }

interface Drawn {
  readonly opened: OpenedDocument
  readonly step: number
  /** The position of each message on the screen, by its key. */
  readonly tops: ReadonlyMap<number, number>
}

/** Animates an edit: messages slide to their new position, and added ones fade in. */
export function useEditAnimation(
  scroller: RefObject<HTMLElement | null>,
  opened: OpenedDocument | undefined,
  step: number,
  rows: readonly MessageRow[],
  heights: Heights,
): void {
  const drawn = useRef<Drawn | undefined>(undefined)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || !opened) return
    const { scrollTop, clientHeight } = element
    const tops = new Map(rows.map(row => [row.key, topOf(heights, row.index) - scrollTop]))
    const last = drawn.current
    drawn.current = { opened, step, tops }
    if (last?.opened !== opened || last.step === step || prefersReducedMotion()) return
    const edit = opened.steps[Math.max(last.step, step) - 1]
    const isForward = last.step < step
    const cameFrom = isForward ? edit?.before : edit?.after
    for (const row of rows) {
      const isMoved = edit?.kind === 'move' && row.index === (isForward ? edit.after : edit.before)
      // A moved message that was not drawn comes from above or below the visible part.
      const outside = (cameFrom ?? 0) < row.index ? -heights.folded : clientHeight + heights.folded
      const was = last.tops.get(row.key) ?? (isMoved && cameFrom !== undefined ? outside : undefined)
      const node = element.querySelector(`[data-row="${row.index}"]`)
      animateRow(node, was, tops.get(row.key) ?? 0, scrollTop, isMoved)
    }
    element.querySelector('.arcs')?.animate({ opacity: [0, 0, 1] }, timing)
  })
}

/** `was` and `now` are positions on the screen; a row without an earlier one fades in. */
function animateRow(
  node: Element | null,
  was: number | undefined,
  now: number,
  scrollTop: number,
  isMoved: boolean,
): void {
  if (was === undefined) node?.animate({ opacity: [0, 1] }, timing)
  else if (was !== now) {
    const top = now + scrollTop
    const lift = isMoved ? { zIndex: [3, 3] } : {}
    node?.animate({ transform: [`translateY(${top + was - now}px)`, `translateY(${top}px)`], ...lift }, timing)
  }
}

const prefersReducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches
