import type { Deed, Done, Item, Source, ThreadFacts } from '../protocol.ts'

/** Something that was opened, and how it is read. What it tells goes to the page as it is. */
export interface OpenSource {
  readonly source: Source
  /** Tells its items as it finds them; those of a journal again whenever they change. It ends with the signal at the latest. */
  list(listing: Listing): Promise<void>
  /** One conversation, read anew, as JSON text in pieces. Throws in one clear line if there is none, or it cannot be read. */
  document(item: string, extent: Extent): Promise<readonly string[]>
  /** Tells what goes on in a thread, now and whenever it changes, until the signal ends it. */
  follow?(item: string, tell: (facts: ThreadFacts) => void, signal: AbortSignal): Promise<void>
  act?(item: string, deed: Deed): Promise<Done>
  close(): Promise<void>
}

/** The whole of a document, or what the first screen needs. */
export type Extent = 'whole' | 'head'

export interface Listing {
  tell(item: Item): void
  /** All items have been told. */
  listed(): void
  /** Whether anybody hears it now. */
  isHeard(): boolean
  readonly signal: AbortSignal
}
