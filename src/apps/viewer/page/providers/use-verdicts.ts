import { useEffect, useState } from 'preact/hooks'
import type { DocumentService, OpenedDocument, ProviderVerdict } from '../../document-service.ts'
import type { Document } from '../../protocol.ts'
import { openDocumentService } from '../open-document-service.ts'

/** Longer histories are checked in a second worker, so that drawing does not wait for it. */
const manyRows = 5_000
const settleMs = 400
const drawMs = 60
let second: DocumentService | undefined
const empty: Document = { kind: 'history', name: '', value: [] }

/** The verdicts of all providers on the open document, as they arrive. */
export function useVerdicts(
  service: DocumentService,
  opened: OpenedDocument,
  document: Document,
  model: string | undefined,
): readonly ProviderVerdict[] {
  const [verdicts, setVerdicts] = useState<readonly ProviderVerdict[]>([])
  useEffect(() => {
    setVerdicts([])
    if (opened.dialects.length === 0) return
    let isOver = false
    let drawing: ReturnType<typeof setTimeout> | undefined
    const received: ProviderVerdict[] = []
    // Verdicts are drawn in batches.
    const onVerdict = (verdict: ProviderVerdict): void => {
      received.push(verdict)
      drawing ??= setTimeout(() => {
        drawing = undefined
        if (!isOver) setVerdicts([...received])
      }, drawMs)
    }
    const askAside = async (): Promise<void> => {
      await new Promise(resolve => setTimeout(resolve, settleMs))
      if (isOver) return
      second ??= openDocumentService()
      await second.open(document, model === undefined ? {} : { model })
      if (!isOver) await second.verdicts(onVerdict)
      // Frees the memory of the document.
      if (!isOver) await second.open(empty)
    }
    const asking = opened.rows > manyRows ? askAside() : service.verdicts(onVerdict)
    // It fails when another document was opened meanwhile.
    asking.catch(() => undefined)
    return () => {
      isOver = true
      clearTimeout(drawing)
    }
  }, [service, opened, document, model])
  return verdicts
}
