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
    const cameFrom = last.step < step ? edit?.before : edit?.after
    for (const row of rows) {
      const now = tops.get(row.key) ?? 0
      const node = element.querySelector(`[data-row="${row.index}"]`)
      let was = last.tops.get(row.key)
      const isMoved = edit?.kind === 'move' && row.index === (last.step < step ? edit.after : edit.before)
      if (was === undefined && isMoved && cameFrom !== undefined)
        was = cameFrom < row.index ? -heights.folded : clientHeight + heights.folded
      if (was === undefined) node?.animate({ opacity: [0, 1] }, timing)
      else if (was !== now) {
        const top = now + scrollTop
        const lift = isMoved ? { zIndex: [3, 3] } : {}
        node?.animate({ transform: [`translateY(${top + was - now}px)`, `translateY(${top}px)`], ...lift }, timing)
      }
    }
    element.querySelector('.arcs')?.animate({ opacity: [0, 0, 1] }, timing)
  })
}

const prefersReducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches
