import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** The size of an element, updated when it changes. */
export function useSize(element: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = current
      setSize(last => (last.width === width && last.height === height ? last : { width, height }))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [element])
  return size
}
