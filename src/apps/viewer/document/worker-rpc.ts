import type { DocumentService, ProviderVerdict } from '../document-service.ts'
import type { Document } from '../protocol.ts'
import { deepJsonText } from './deep-json.ts'

/** One end of a channel between two threads: a `Worker`, or `self` in a worker. */
export interface Port {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'error', listener: (event: { readonly message?: string }) => void): void
}

interface Question {
  readonly id: number
  readonly ask: keyof DocumentService
  readonly with: readonly unknown[]
}

/** An answer ends a question; before it there can be any number of updates. */
type Answer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly update: unknown }
  | { readonly id: number; readonly failed: string }

/** Answers the questions at a port from a service. It keeps the document, which may be opened again for another provider. */
export function serveDocuments(service: DocumentService, port: Port): void {
  let document: unknown
  port.addEventListener('message', async ({ data }) => {
    const { id, ask, with: words } = data as Question
    const report = (update: unknown): void => port.postMessage({ id, update } satisfies Answer)
    try {
      if (ask === 'open') document = words[0] ?? document
      const method = service[ask] as (...words: readonly unknown[]) => Promise<unknown>
      const answer = await method(...(ask === 'verdicts' ? [report] : ask === 'open' ? [document, words[1]] : words))
      port.postMessage({ id, answer } satisfies Answer)
    } catch (error) {
      port.postMessage({ id, failed: error instanceof Error ? error.message : String(error) } satisfies Answer)
    }
  })
}

/** The service at the other end of a port. */
export function connectDocumentService(port: Port): DocumentService {
  const waiting = new Map<number, PendingQuestion>()
  let last = 0
  port.addEventListener('message', ({ data }) => {
    const answer = data as Answer
    const asked = waiting.get(answer.id)
    if (!asked) return
    if ('update' in answer) {
      asked.report?.(answer.update as ProviderVerdict)
      return
    }
    waiting.delete(answer.id)
    if ('failed' in answer) asked.reject(new Error(answer.failed))
    else asked.resolve(answer.answer)
  })
  port.addEventListener('error', ({ message = '' }) => {
    const reason = message === '' ? 'it could not be started' : message
    for (const { reject } of waiting.values()) reject(new Error(`the worker has stopped: ${reason}`))
    waiting.clear()
  })
  const ask = <Answered>(
    name: keyof DocumentService,
    words: readonly unknown[],
    report?: PendingQuestion['report'],
  ): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const id = ++last
      port.postMessage({ id, ask: name, with: words } satisfies Question)
      waiting.set(id, { resolve: resolve as PendingQuestion['resolve'], reject, ...(report ? { report } : {}) })
    })
  let sent: Document | string | undefined
  return {
    open: async (document, decoded) => {
      const isThere = document === sent
      sent = document
      try {
        return await ask('open', [isThere ? undefined : document, decoded])
      } catch (error) {
        if (isThere || typeof document === 'string') throw error
        // Too deep for a structured clone.
        return ask('open', [deepJsonText(document), decoded])
      }
    },
    window: (...words) => ask('window', words),
    content: (...words) => ask('content', words),
    search: (...words) => ask('search', words),
    follow: (...words) => ask('follow', words),
    verdicts: report => ask('verdicts', [], report),
    healed: () => ask('healed', []),
    inspection: () => ask('inspection', []),
    request: (...words) => ask('request', words),
  }
}

interface PendingQuestion {
  resolve(answer: unknown): void
  reject(error: Error): void
  readonly report?: (verdict: ProviderVerdict) => void
}
