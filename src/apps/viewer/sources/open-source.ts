import type { ActionResult, CatalogueItem, SourceInfo, StoreAction, ThreadAction, ThreadEvent } from '../protocol.ts'

/** An opened source. What it reports goes to the page unchanged. */
export interface OpenSource {
  readonly source: SourceInfo
  /** Reports its items as it finds them; those of a journal again when they change. Ends when the signal is aborted, at the latest. */
  list(listing: Listing): Promise<void>
  /** Reads a conversation, as JSON text in pieces. Throws an error with one line if there is none, or it cannot be read. */
  document(item: string, extent: Extent): Promise<readonly string[]>
  /** Reports the state of a thread and what it streams, now and when that changes, until the signal is aborted. */
  follow?(item: string, onEvent: (event: ThreadEvent) => void, signal: AbortSignal): Promise<void>
  act?(item: string, action: ThreadAction): Promise<ActionResult>
  /** Repairs a conversation in its store, or undoes that. */
  repair?(item: string, action: StoreAction): Promise<ActionResult>
  close(): Promise<void>
}

/** The whole document, or only its first messages. */
export type Extent = 'whole' | 'head'

export interface Listing {
  onItem(item: CatalogueItem): void
  /** All items have been reported. */
  onListed(): void
  /** Whether there are listeners now. */
  hasListeners(): boolean
  readonly signal: AbortSignal
}
