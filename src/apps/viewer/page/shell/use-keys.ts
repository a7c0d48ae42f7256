import { useEffect, useRef } from 'preact/hooks'

/** Key handlers. A handler returns false if it did nothing, so that the browser handles the key. */
export type Keys = Readonly<Record<string, (event: KeyboardEvent) => unknown>>

/** Handles keys on the whole page, except in input fields and while a dialog is open. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTaken(event) || document.querySelector('dialog[open]')) return
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (action && action(event) !== false) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

const isTaken = ({ target, key }: KeyboardEvent): boolean => {
  if (!(target instanceof Element)) return false
  if (target.closest('input, textarea, select, [contenteditable]')) return true
  // Arrow keys and the like are for the message list only if it has the focus, or nothing has.
  const isArrow = key.length > 1
  return isArrow && target !== document.body && !target.closest('.row-head')
}
