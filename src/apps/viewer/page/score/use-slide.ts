import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Opened, Row } from '../../desk.ts'
import { type Heights, topOf } from './heights.ts'

const timing: KeyframeAnimationOptions = { duration: 520, easing: 'cubic-bezier(0.3, 0.1, 0.2, 1)' }

interface Sight {
  readonly opened: Opened
  readonly step: number
  /** Where each message was seen on the screen, by its key. */
  readonly tops: ReadonlyMap<number, number>
}

/** When an edit is made, messages slide from where they were seen to where they are now, and made-up ones come in. */
export function useSlide(
  scroller: RefObject<HTMLElement | null>,
  opened: Opened | undefined,
  step: number,
  rows: readonly Row[],
  heights: Heights,
): void {
  const seen = useRef<Sight | undefined>(undefined)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || !opened) return
    const { scrollTop, clientHeight } = element
    const tops = new Map(rows.map(row => [row.key, topOf(heights, row.index) - scrollTop]))
    const last = seen.current
    seen.current = { opened, step, tops }
    if (last?.opened !== opened || last.step === step || prefersStillness()) return
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

const prefersStillness = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches
