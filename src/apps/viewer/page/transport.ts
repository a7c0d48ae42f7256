import type { ActionResult, Document, Notice, StoreAction, ThreadAction, ThreadEvent } from '../protocol.ts'

/** Where documents come from: the server of the page, the exported file that contains the page, or only the user. */
export interface Transport {
  readonly kind: 'server' | 'export' | 'standalone'
  /** Listens for sources and items, now and when they change. Returns a function that stops it. */
  notices(onNotice: (notice: Notice) => void): () => void
  /** The first messages of a document, if they can be loaded faster than the whole. */
  head(source: string, item: string): Promise<Document | undefined>
  document(source: string, item: string): Promise<Document>
  /** Listens for changes of a thread of a journal, and for what it streams. Returns a function that stops it. */
  thread(source: string, item: string, onEvent: (event: ThreadEvent) => void): () => void
  /** Approves, denies or interrupts. Throws an Error with one line if it was refused. */
  act(source: string, item: string, action: ThreadAction): Promise<ActionResult>
  /** Repairs a conversation in its store, or undoes that. Throws an Error with one line if it was refused. Absent without a server. */
  repair?(source: string, item: string, action: StoreAction): Promise<ActionResult>
  /** Listens for whether the server is reachable, now and when that changes. Returns a function that stops it. Absent without a server. */
  connection?(onChange: (isThere: boolean) => void): () => void
}
