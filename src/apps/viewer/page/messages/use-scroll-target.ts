import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { OpenedDocument } from '../../document-service.ts'
import { type Heights, topOf } from './heights.ts'
import { endSpace } from './layout.ts'

export interface ScrollTarget {
  readonly opened: OpenedDocument
  readonly step: number
  readonly count: number
  readonly end: number
  /** The position to scroll to, as soon as the rows there are loaded. */
  readonly top?: number | undefined
  /** Scroll to the end of the list, wherever it is by then. */
  readonly isEnd?: boolean
}

/** Where a list scrolls when its content changes: to the edit, if it is not visible, or to the new end of a thread. */
export function useScrollTarget(
  scroller: RefObject<HTMLElement | null>,
  opened: OpenedDocument,
  step: number,
  target: number | undefined,
  heights: Heights,
  maxHeight: number,
): RefObject<ScrollTarget> {
  const { count } = heights
  const end = topOf(heights, count) + endSpace
  const edge = target === undefined ? undefined : topOf(heights, Math.max(0, target - 3))
  const scrollTarget = useRef<ScrollTarget>({ opened, step, count, end, top: edge })
  const last = scrollTarget.current
  if (last.step === step && last.opened === opened) return scrollTarget
  const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
  const top = target === undefined ? undefined : topOf(heights, target)
  const isInSight = top !== undefined && top > scrollTop + clientHeight * 0.1 && top < scrollTop + clientHeight * 0.7
  // A list that is at its end follows the thread. The live panel above it may take some of its height, so that its end is a little
  // below the screen.
  const isAtEnd =
    last.top === undefined ? scrollTop + Math.max(maxHeight, clientHeight) >= last.end - 8 : last.isEnd === true
  const isEnd = last.step === step && count > last.count && isAtEnd && (top === undefined || isInSight)
  const newTop = isEnd ? end - clientHeight : top !== undefined && !isInSight ? top - clientHeight * 0.35 : undefined
  scrollTarget.current = {
    opened,
    step,
    count,
    end,
    isEnd,
    top: newTop === undefined ? undefined : Math.max(0, newTop),
  }
  return scrollTarget
}

/** The largest height of the list in a window of this height: the live panel above it comes and goes. */
export function useMaxHeight(height: number): number {
  const maxHeight = useRef({ window: 0, tall: 0 })
  const isSame = maxHeight.current.window === innerHeight
  maxHeight.current = { window: innerHeight, tall: isSame ? Math.max(maxHeight.current.tall, height) : height }
  return maxHeight.current.tall
}
