import { render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Desk, Opened, SheetWindow } from '../../desk.ts'
import { PrintSheet } from './print-sheet.tsx'

/** More than this nobody prints. */
const printedMax = 2_000
const idleMs = 600

interface Printed {
  readonly desk: Desk
  readonly opened: Opened
  readonly step: number
  readonly title: string
  readonly count: number
  readonly unfolded: ReadonlySet<number>
}

/**
 * Puts all rows of a sheet on paper, not only those on the screen. A browser that is about to print waits for nobody, so
 * the rows are read ahead, when there is nothing else to do.
 */
export function usePrint(printed: Printed): void {
  const { desk, opened, step, count } = printed
  const latest = useRef(printed)
  latest.current = printed
  const ready = useRef<{ opened: Opened; step: number; window: SheetWindow } | undefined>(undefined)
  useEffect(() => {
    const timer = setTimeout(async () => {
      const window = await desk.window(step, 0, Math.min(count, printedMax)).catch(() => undefined)
      if (window) ready.current = { opened, step, window }
    }, idleMs)
    return () => clearTimeout(timer)
  }, [desk, opened, step, count])
  useEffect(() => {
    const place = document.createElement('div')
    const isPrinting = matchMedia('print')
    const begin = (): void => {
      const { current: rows } = ready
      const { current: sheet } = latest
      if (rows?.opened !== sheet.opened || rows.step !== sheet.step) return
      document.body.append(place)
      render(<PrintSheet {...sheet} window={rows.window} />, place)
    }
    const end = (): void => {
      render(null, place)
      place.remove()
    }
    const change = (): void => (isPrinting.matches ? begin() : end())
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    isPrinting.addEventListener('change', change)
    return () => {
      end()
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
      isPrinting.removeEventListener('change', change)
    }
  }, [])
}
