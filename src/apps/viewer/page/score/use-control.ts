import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type Heights, rowAt, topOf } from './heights.ts'
import { quantum } from './measures.ts'

export interface Wish {
  /** The row shall have the focus. */
  readonly focus?: boolean
  /** What is beside it shall be in sight too. */
  readonly ample?: boolean
}

/** What others may ask of a sheet. */
export interface SheetControl {
  /** Scrolls to a row, if it is not in sight. */
  reveal(row: number, wish?: Wish): void
  /** The row at the upper edge, and how far it is scrolled past it. */
  top(): { readonly row: number; readonly past: number }
  /** Puts a row at the upper edge. */
  align(row: number, past: number): void
  /** Whether a row is on the screen. */
  sees(row: number): boolean
}

/** Air between a row that was scrolled to and the edge. */
const air = 8

/** Hands out the control of a sheet. A sheet begins where the address, or the last view, says: at the current row. */
export function useControl(
  control: RefObject<SheetControl | null>,
  scroller: RefObject<HTMLElement | null>,
  heights: Heights,
  current: number,
  onScrolled: (top: number) => void,
): void {
  const wantsFocus = useRef<number | undefined>(undefined)
  const isPlaced = useRef(false)
  const reveal = (row: number, { focus, ample }: Wish = {}): void => {
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
  // The row may have to be read before it can have the focus.
  useEffect(() => {
    if (wantsFocus.current === undefined) return
    const head = scroller.current?.querySelector<HTMLElement>(`[data-row="${wantsFocus.current}"] .row-head`)
    if (!head) return
    wantsFocus.current = undefined
    head.focus({ preventScroll: true })
  })
}
