import { useEffect, useState } from 'preact/hooks'
import type { SheetWindow } from '../../desk.ts'
import { openDesk } from '../open-desk.ts'
import { examples } from './own-documents.ts'

const rowsMax = 8
let drawn: ReadonlyMap<string, SheetWindow> = new Map()

/** The examples as they are drawn, read at a desk of their own, once. */
export function useMiniatures(): ReadonlyMap<string, SheetWindow> {
  const [windows, setWindows] = useState(drawn)
  useEffect(() => {
    if (drawn.size > 0) return
    let isOver = false
    const read = async (): Promise<void> => {
      const desk = openDesk()
      const found = new Map<string, SheetWindow>()
      for (const { item, document } of examples) {
        await desk.open(document)
        found.set(item.id, await desk.window(0, 0, rowsMax))
      }
      drawn = found
      if (!isOver) setWindows(found)
    }
    // Without them the examples are only plainer.
    read().catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [])
  return windows
}
