import { useCallback, useRef, useState } from 'preact/hooks'
import type { DocumentService, OpenChoices, OpenedDocument } from '../../document-service.ts'
import type { Document } from '../../protocol.ts'

/** The open document. */
export interface OpenDocument {
  readonly source: string
  readonly item: string
  readonly document: Document
  readonly opened: OpenedDocument
  /** Only its first messages are loaded. */
  readonly isHead: boolean
}

/** Fetches a document: first its head, if that is faster, then the whole. */
export interface DocumentFetcher {
  head?(): Promise<Document | undefined>
  whole(): Promise<Document>
}

export interface DocumentLoader {
  readonly present: OpenDocument | undefined
  readonly isBusy: boolean
  readonly errorText: string | undefined
  open(source: string, item: string, fetcher: DocumentFetcher, choices: OpenChoices): Promise<OpenDocument | undefined>
  close(): void
}

/** Opens one document at a time. The head of a long one is drawn first. */
export function useDocument(service: DocumentService): DocumentLoader {
  const [present, setPresent] = useState<OpenDocument>()
  const [isBusy, setBusy] = useState(false)
  const [errorText, setErrorText] = useState<string>()
  const turn = useRef(0)

  const open = useCallback<DocumentLoader['open']>(
    async (source, item, fetcher, choices) => {
      const mine = ++turn.current
      const show = async (document: Document, isHead: boolean): Promise<OpenDocument | undefined> => {
        const opened = await service.open(document, choices)
        if (turn.current !== mine) return
        const next = { source, item, document, opened: isHead ? withoutVerdicts(opened) : opened, isHead }
        setPresent(next)
        return next
      }
      setBusy(true)
      setErrorText(undefined)
      try {
        const head = await fetcher.head?.()
        if (turn.current !== mine) return
        if (head) {
          const isAll = !('total' in head) || head.total === undefined
          const shown = await show(head, !isAll)
          if (isAll) return shown
          await painted()
        }
        const whole = await fetcher.whole()
        return turn.current === mine ? await show(whole, false) : undefined
      } catch (error) {
        if (turn.current === mine) setErrorText(error instanceof Error ? error.message : String(error))
      } finally {
        if (turn.current === mine) setBusy(false)
      }
    },
    [service],
  )
  const close = useCallback((): void => {
    turn.current++
    setPresent(undefined)
    setErrorText(undefined)
    setBusy(false)
  }, [])
  return { present, isBusy, errorText, open, close }
}

/** Attributes for scripts and tests: which document is shown, and whether all of it is loaded. */
export const documentNames = ({ source, item, isHead }: OpenDocument) => ({
  'data-document': `${source}/${item}`,
  'data-whole': isHead ? undefined : true,
})

/** The head of a conversation is cut off somewhere, so it is not checked. */
const withoutVerdicts = (opened: OpenedDocument): OpenedDocument => ({
  ...opened,
  diagnostics: [],
  steps: [],
  dialects: [],
})

/** Resolves after the next paint, or soon: a hidden page is not painted. */
const painted = (): Promise<void> =>
  new Promise(resolve => {
    const done = (): void => resolve()
    requestAnimationFrame(() => setTimeout(done, 0))
    setTimeout(done, 200)
  })
