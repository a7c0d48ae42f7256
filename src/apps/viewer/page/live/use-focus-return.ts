import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A ref for a button that a form replaces: it gets the focus back when the form is closed. */
export function useFocusReturn(isAway: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  const wasAway = useRef(isAway)
  useLayoutEffect(() => {
    if (wasAway.current && !isAway) button.current?.focus()
    wasAway.current = isAway
  }, [isAway])
  return button
}
