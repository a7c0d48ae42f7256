import { useCallback, useRef, useState } from 'preact/hooks'
import type { DialectId } from '../../../../core/dialects/index.ts'
import type { Desk, Opened } from '../../desk.ts'
import type { Document } from '../../protocol.ts'

/** A document on the desk. */
export interface OpenDocument {
  readonly source: string
  readonly item: string
  readonly document: Document
  readonly opened: Opened
  /** Only its beginning is there yet. */
  readonly isHead: boolean
}

/** How a document is had: its beginning, if that comes sooner, and all of it. */
export interface Fetching {
  head?(): Promise<Document | undefined>
  whole(): Promise<Document>
}

export interface Opening {
  readonly present: OpenDocument | undefined
  readonly isBusy: boolean
  readonly trouble: string | undefined
  open(source: string, item: string, fetching: Fetching, reader?: DialectId): Promise<OpenDocument | undefined>
  close(): void
}

/** Opens documents, one in place of the other. Of a long one the beginning is drawn first. */
export function useDocument(desk: Desk): Opening {
  const [present, setPresent] = useState<OpenDocument>()
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string>()
  const turn = useRef(0)

  const open = useCallback<Opening['open']>(
    async (source, item, fetching, reader) => {
      const mine = ++turn.current
      const reading = reader === undefined ? {} : { for: reader }
      const show = async (document: Document, isHead: boolean): Promise<OpenDocument | undefined> => {
        const opened = await desk.open(document, reading)
        if (turn.current !== mine) return
        const next = { source, item, document, opened: isHead ? withoutJudgement(opened) : opened, isHead }
        setPresent(next)
        return next
      }
      setBusy(true)
      setTrouble(undefined)
      try {
        const head = await fetching.head?.()
        if (turn.current !== mine) return
        if (head) {
          const isAll = !('total' in head) || head.total === undefined
          const shown = await show(head, !isAll)
          if (isAll) return shown
          await painted()
        }
        const whole = await fetching.whole()
        return turn.current === mine ? await show(whole, false) : undefined
      } catch (error) {
        if (turn.current === mine) setTrouble(error instanceof Error ? error.message : String(error))
      } finally {
        if (turn.current === mine) setBusy(false)
      }
    },
    [desk],
  )
  const close = useCallback((): void => {
    turn.current++
    setPresent(undefined)
    setTrouble(undefined)
    setBusy(false)
  }, [])
  return { present, isBusy, trouble, open, close }
}

/** By which a script knows what is on the page, and whether all of it is there. */
export const documentNames = ({ source, item, isHead }: OpenDocument) => ({
  'data-document': `${source}/${item}`,
  'data-whole': isHead ? undefined : true,
})

/** The beginning of a conversation is cut somewhere: what is wrong with the cut is nobody's fault. */
const withoutJudgement = (opened: Opened): Opened => ({ ...opened, marks: [], steps: [], readers: [] })

/** After the next paint, or soon: a page that is not seen has none. */
const painted = (): Promise<void> =>
  new Promise(resolve => {
    const done = (): void => resolve()
    requestAnimationFrame(() => setTimeout(done, 0))
    setTimeout(done, 200)
  })
