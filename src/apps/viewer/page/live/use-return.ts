import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A button that makes way for a form: the focus comes back to it when the form is gone. */
export function useReturn(isAway: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  const wasAway = useRef(isAway)
  useLayoutEffect(() => {
    if (wasAway.current && !isAway) button.current?.focus()
    wasAway.current = isAway
  }, [isAway])
  return button
}
