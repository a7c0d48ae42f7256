import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { Opened } from '../../desk.ts'
import { type Heights, topOf } from './heights.ts'
import { endSpace } from './measures.ts'

export interface Goal {
  readonly opened: Opened
  readonly step: number
  readonly count: number
  readonly end: number
  /** Where the sheet is to be scrolled to, as soon as what is there has been read. */
  readonly top?: number | undefined
  /** That is its end, wherever it is by then. */
  readonly isEnd?: boolean
}

/** Where a sheet goes when it shows something else: to the edit, if that is out of sight, or on with a thread's end. */
export function useGoal(
  scroller: RefObject<HTMLElement | null>,
  opened: Opened,
  step: number,
  target: number | undefined,
  heights: Heights,
  room: number,
): RefObject<Goal> {
  const { count } = heights
  const end = topOf(heights, count) + endSpace
  const edge = target === undefined ? undefined : topOf(heights, Math.max(0, target - 3))
  const goal = useRef<Goal>({ opened, step, count, end, top: edge })
  const last = goal.current
  if (last.step === step && last.opened === opened) return goal
  const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
  const top = target === undefined ? undefined : topOf(heights, target)
  const isInSight = top !== undefined && top > scrollTop + clientHeight * 0.1 && top < scrollTop + clientHeight * 0.7
  // Whoever reads the last words of a thread that goes on wants to see the next ones, also if those before are still to come.
  // What goes on is told above the sheet and takes some of its room, so that its end may be a little below.
  const isAtEnd =
    last.top === undefined ? scrollTop + Math.max(room, clientHeight) >= last.end - 8 : last.isEnd === true
  const isEnd = last.step === step && count > last.count && isAtEnd && (top === undefined || isInSight)
  const goesTo = isEnd ? end - clientHeight : top !== undefined && !isInSight ? top - clientHeight * 0.35 : undefined
  goal.current = { opened, step, count, end, isEnd, top: goesTo === undefined ? undefined : Math.max(0, goesTo) }
  return goal
}
