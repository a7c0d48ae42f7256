import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type Heights, rowAt, topOf } from './heights.ts'
import { quantum } from './layout.ts'

export interface RevealOptions {
  /** Give the row the focus. */
  readonly focus?: boolean
  /** Leave space below the row for what is next to it. */
  readonly ample?: boolean
}

/** The operations of a list. */
export interface ListControl {
  /** Scrolls to a row, if it is not visible. */
  reveal(row: number, options?: RevealOptions): void
  /** The row at the upper edge, and how much of it is scrolled past. */
  top(): { readonly row: number; readonly past: number }
  /** Scrolls so that a row is at the upper edge. */
  align(row: number, past: number): void
  /** Whether a row is on the screen. */
  sees(row: number): boolean
}

/** The space between a row that was scrolled to and the edge. */
const air = 8

/** Sets the operations of a list on a ref. The list starts at the current row. */
export function useListControl(
  control: RefObject<ListControl | null>,
  scroller: RefObject<HTMLElement | null>,
  heights: Heights,
  current: number,
  onScrolled: (top: number) => void,
): void {
  const wantsFocus = useRef<number | undefined>(undefined)
  const isPlaced = useRef(false)
  const reveal = (row: number, { focus, ample }: RevealOptions = {}): void => {
    if (focus) wantsFocus.current = row
    const element = scroller.current
    if (!element) return
    const top = topOf(heights, row)
    const bottom = top + heights.folded
    const { scrollTop, clientHeight } = element
    const isFar = top < scrollTop - clientHeight / 2 || top > scrollTop + clientHeight * (ample ? 0.6 : 1.5)
    const isAbove = top < scrollTop + air
    if (isFar) element.scrollTop = top - clientHeight * 0.3
    else if (isAbove) element.scrollTop = top - air
    else if (bottom > scrollTop + clientHeight - air) element.scrollTop = bottom + air - clientHeight
    onScrolled(quantum(element.scrollTop))
  }
  control.current = {
    reveal,
    top() {
      const top = scroller.current?.scrollTop ?? 0
      const row = rowAt(heights, top)
      return { row, past: top - topOf(heights, row) }
    },
    align(row, past) {
      if (scroller.current) scroller.current.scrollTop = topOf(heights, row) + past
    },
    sees(row) {
      const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
      const top = topOf(heights, row) - scrollTop
      return top > -heights.folded && top < clientHeight
    },
  }
  useLayoutEffect(() => {
    if (isPlaced.current || !scroller.current?.clientHeight) return
    isPlaced.current = true
    if (current > 0) reveal(current)
  })
  // The row may have to be loaded before it can get the focus.
  useEffect(() => {
    if (wantsFocus.current === undefined) return
    const head = scroller.current?.querySelector<HTMLElement>(`[data-row="${wantsFocus.current}"] .row-head`)
    if (!head) return
    wantsFocus.current = undefined
    head.focus({ preventScroll: true })
  })
}
