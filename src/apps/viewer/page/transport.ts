import type { Deed, Document, Done, Notice, ThreadFacts } from '../protocol.ts'

/** Where documents come from: the server that opened the page, the exported file that the page is in, or only the user. */
export interface Transport {
  readonly kind: 'server' | 'export' | 'alone'
  /** Hears of sources and items, now and when they change. Returns what ends it. */
  notices(hear: (notice: Notice) => void): () => void
  /** What the first screen needs of a document, if that can be had faster than the whole. */
  head(source: string, item: string): Promise<Document | undefined>
  document(source: string, item: string): Promise<Document>
  /** Hears what goes on in a thread of a journal. Returns what ends it. */
  thread(source: string, item: string, hear: (facts: ThreadFacts) => void): () => void
  /** Approves, denies or interrupts. Throws an Error with one clear line if it was refused. */
  act(source: string, item: string, deed: Deed): Promise<Done>
  /** Hears whether the other end is there, now and when that changes. Returns what ends it. Absent where there is none. */
  connection?(hear: (isThere: boolean) => void): () => void
}
