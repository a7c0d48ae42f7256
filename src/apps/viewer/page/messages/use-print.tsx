import { render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { DocumentService, MessageWindow, OpenedDocument } from '../../document-service.ts'
import { PrintMessages } from './print-messages.tsx'

/** The maximum number of rows that are printed. */
const printedMax = 2_000
const idleMs = 600

interface Printed {
  readonly service: DocumentService
  readonly opened: OpenedDocument
  readonly step: number
  readonly title: string
  readonly count: number
  readonly unfolded: ReadonlySet<number>
}

/**
 * Prints all rows, not only those on the screen. The browser does not wait when it is about to print, so the rows are loaded before, while
 * the page is idle.
 */
export function usePrint(printed: Printed): void {
  const { service, opened, step, count } = printed
  const latest = useRef(printed)
  latest.current = printed
  const ready = useRef<{ opened: OpenedDocument; step: number; window: MessageWindow } | undefined>(undefined)
  useEffect(() => {
    const timer = setTimeout(async () => {
      const window = await service.window(step, 0, Math.min(count, printedMax)).catch(() => undefined)
      if (window) ready.current = { opened, step, window }
    }, idleMs)
    return () => clearTimeout(timer)
  }, [service, opened, step, count])
  useEffect(() => {
    const place = document.createElement('div')
    const isPrinting = matchMedia('print')
    const begin = (): void => {
      const { current: rows } = ready
      const { current: shown } = latest
      if (rows?.opened !== shown.opened || rows.step !== shown.step) return
      document.body.append(place)
      render(<PrintMessages {...shown} window={rows.window} />, place)
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
