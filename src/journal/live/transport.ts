/**
 * Carries short texts between the processes that share a journal: pieces of the responses that are streaming, and notices that there are new entries.
 * Correctness does not depend on it: what is lost is asked for again, or is read from the journal when it is recorded.
 */
export interface LiveTransport {
  /** Names it in messages, without secrets. */
  readonly name: string
  /** Called once, before any other method. */
  start(events: TransportEvents): void
  /**
   * Sends a text of at most `textBytesMax` bytes to the other processes that have subscribed to the channel, in the order of the calls. Returns at
   * once. A text that cannot be sent is dropped. It may come back to the process that sent it.
   */
  publish(channel: string, text: string): void
  /** Resolves when all texts that any process publishes from now on are received here. A subscription outlives a lost connection. */
  subscribe(channel: string): Promise<void>
  unsubscribe(channel: string): void
  close(): Promise<void>
}

export interface TransportEvents {
  receive(channel: string, text: string): void
  /** It is connected, for the first time or again. What was published in the meantime may be lost. */
  connected(): void
  /** The connection is lost. The transport tries to connect again until it is closed. */
  lost(error: unknown): void
}

/** The maximum size of one text, in bytes of UTF-8. PostgreSQL allows less than 8,000. */
export const textBytesMax = 7_500
