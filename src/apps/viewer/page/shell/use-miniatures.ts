import { useEffect, useState } from 'preact/hooks'
import type { MessageWindow } from '../../document-service.ts'
import { openDocumentService } from '../open-document-service.ts'
import { examples } from './own-documents.ts'

const rowsMax = 8
let drawn: ReadonlyMap<string, MessageWindow> = new Map()

/** The drawings of the examples. They are decoded once, in a separate worker. */
export function useMiniatures(): ReadonlyMap<string, MessageWindow> {
  const [windows, setWindows] = useState(drawn)
  useEffect(() => {
    if (drawn.size > 0) return
    let isOver = false
    const read = async (): Promise<void> => {
      const service = openDocumentService()
      const found = new Map<string, MessageWindow>()
      for (const { item, document } of examples) {
        await service.open(document)
        found.set(item.id, await service.window(0, 0, rowsMax))
      }
      drawn = found
      if (!isOver) setWindows(found)
    }
    // The examples also work without drawings.
    read().catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [])
  return windows
}
