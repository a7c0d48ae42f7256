import type { Desk, Verdict } from '../desk.ts'
import type { Document } from '../protocol.ts'
import { jsonText } from './json-text.ts'

/** One end of a channel between two threads: a worker, or what a worker is to itself. */
export interface Port {
  postMessage(message: unknown): void
  addEventListener(type: 'message', hear: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'error', hear: (event: { readonly message?: string }) => void): void
}

interface Question {
  readonly id: number
  readonly ask: keyof Desk
  readonly with: readonly unknown[]
}

/** An answer ends a question; until then `told` may come any number of times. */
type Answer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly told: unknown }
  | { readonly id: number; readonly failed: string }

/** Answers from a desk whatever is asked at a port. It keeps the document, which may be opened again for another reader. */
export function serveDesk(desk: Desk, port: Port): void {
  let document: unknown
  port.addEventListener('message', async ({ data }) => {
    const { id, ask, with: words } = data as Question
    const tell = (told: unknown): void => port.postMessage({ id, told } satisfies Answer)
    try {
      if (ask === 'open') document = words[0] ?? document
      const method = desk[ask] as (...words: readonly unknown[]) => Promise<unknown>
      const answer = await method(...(ask === 'verdicts' ? [tell] : ask === 'open' ? [document, words[1]] : words))
      port.postMessage({ id, answer } satisfies Answer)
    } catch (error) {
      port.postMessage({ id, failed: error instanceof Error ? error.message : String(error) } satisfies Answer)
    }
  })
}

/** The desk that is served at the other end of a port. */
export function linkDesk(port: Port): Desk {
  const waiting = new Map<number, Waiting>()
  let last = 0
  port.addEventListener('message', ({ data }) => {
    const answer = data as Answer
    const asked = waiting.get(answer.id)
    if (!asked) return
    if ('told' in answer) {
      asked.tell?.(answer.told as Verdict)
      return
    }
    waiting.delete(answer.id)
    if ('failed' in answer) asked.reject(new Error(answer.failed))
    else asked.resolve(answer.answer)
  })
  port.addEventListener('error', ({ message = '' }) => {
    const reason = message === '' ? 'it could not be started' : message
    for (const { reject } of waiting.values()) reject(new Error(`the reader has stopped: ${reason}`))
    waiting.clear()
  })
  const ask = <Answered>(name: keyof Desk, words: readonly unknown[], tell?: Waiting['tell']): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const id = ++last
      port.postMessage({ id, ask: name, with: words } satisfies Question)
      waiting.set(id, { resolve: resolve as Waiting['resolve'], reject, ...(tell ? { tell } : {}) })
    })
  let sent: Document | string | undefined
  return {
    open: async (document, reading) => {
      const isThere = document === sent
      sent = document
      try {
        return await ask('open', [isThere ? undefined : document, reading])
      } catch (error) {
        if (isThere || typeof document === 'string') throw error
        // Too deep to be sent as it is.
        return ask('open', [jsonText(document), reading])
      }
    },
    window: (...words) => ask('window', words),
    content: (...words) => ask('content', words),
    search: (...words) => ask('search', words),
    follow: (...words) => ask('follow', words),
    verdicts: tell => ask('verdicts', [], tell),
    healed: () => ask('healed', []),
    inspection: () => ask('inspection', []),
    request: (...words) => ask('request', words),
  }
}

interface Waiting {
  resolve(answer: unknown): void
  reject(error: Error): void
  readonly tell?: (verdict: Verdict) => void
}
