import { useEffect, useState } from 'preact/hooks'
import type { Desk, Opened, Verdict } from '../../desk.ts'
import type { Document } from '../../protocol.ts'
import { openDesk } from '../open-desk.ts'

/** From here on, asking all readers takes so long that the one who draws must not wait for it. */
const manyRows = 5_000
const settleMs = 400
const drawMs = 60
let second: Desk | undefined
const empty: Document = { kind: 'history', name: '', value: [] }

/** What every reader says of the open document, as it comes in. A long one is asked about at a desk of its own. */
export function useVerdicts(desk: Desk, opened: Opened, document: Document): readonly Verdict[] {
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>([])
  useEffect(() => {
    setVerdicts([])
    if (opened.readers.length === 0) return
    let isOver = false
    let drawing: ReturnType<typeof setTimeout> | undefined
    const heard: Verdict[] = []
    // They come one by one, and are drawn several at a time.
    const tell = (verdict: Verdict): void => {
      heard.push(verdict)
      drawing ??= setTimeout(() => {
        drawing = undefined
        if (!isOver) setVerdicts([...heard])
      }, drawMs)
    }
    const askAside = async (): Promise<void> => {
      await new Promise(resolve => setTimeout(resolve, settleMs))
      if (isOver) return
      second ??= openDesk()
      await second.open(document)
      if (!isOver) await second.verdicts(tell)
      // It holds all of the document, which nobody needs any more.
      if (!isOver) await second.open(empty)
    }
    const asking = opened.rows > manyRows ? askAside() : desk.verdicts(tell)
    // Another document was opened meanwhile: its own verdicts follow.
    asking.catch(() => undefined)
    return () => {
      isOver = true
      clearTimeout(drawing)
    }
  }, [desk, opened, document])
  return verdicts
}
