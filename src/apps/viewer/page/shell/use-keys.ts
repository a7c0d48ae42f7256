import { useEffect, useRef } from 'preact/hooks'

/** What a key does. Gives false if it did nothing, so that the browser's own meaning of the key stays. */
export type Keys = Readonly<Record<string, (event: KeyboardEvent) => unknown>>

/** Keys for the whole page, but not while somebody writes, chooses, or has a dialogue before them. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTaken(event) || document.querySelector('dialog[open]')) return
      const deed = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (deed && deed(event) !== false) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

const isTaken = ({ target, key }: KeyboardEvent): boolean => {
  if (!(target instanceof Element)) return false
  if (target.closest('input, textarea, select, [contenteditable]')) return true
  // Arrows and their like belong to the list of messages only when it has the focus, or nothing has.
  const isArrow = key.length > 1
  return isArrow && target !== document.body && !target.closest('.row-head')
}
