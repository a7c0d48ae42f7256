import { systemClock } from '../../../journal/clock.ts'
import { Journal } from '../../../journal/journal.ts'
import { LiveHub } from '../../../journal/live/live-hub.ts'
import type { LiveItem } from '../../../journal/live/live-reader.ts'
import type { LiveTransport } from '../../../journal/live/transport.ts'
import type { Store } from '../../../journal/stores/store.ts'
import type { ThreadWords } from '../protocol.ts'

/** What the processes of a journal stream, and have not recorded yet. Nothing is written. */
export class LiveWords {
  readonly #hub: LiveHub
  readonly #journal: Journal

  constructor(store: Store, transport: LiveTransport) {
    this.#hub = new LiveHub(systemClock, transport)
    this.#journal = new Journal(store, systemClock, 'viewer', undefined, undefined, this.#hub)
  }

  /**
   * Reports the words of a thread until the signal is aborted. The returned function reads what is new in the thread. Undefined while no process is
   * connected.
   */
  follow(name: string, onWords: (words: ThreadWords) => void, signal: AbortSignal): (() => void) | undefined {
    this.#hub.start()
    if (!this.#hub.isConnected) return undefined
    // A page that was connected before may show words that were taken back since.
    onWords({ words: '' })
    const thread = this.#journal.thread(name)
    let words = ''
    const take = (item: LiveItem): void => {
      if (item.kind === 'delta' && item.delta.kind === 'text') {
        words = (words + item.delta.text).slice(-wordsMax)
        onWords({ words })
      } else if (item.kind === 'response-retract' || item.kind === 'response-record') {
        if (words !== '') onWords(item.kind === 'response-record' ? { words, recordedAt: item.seq } : { words: '' })
        words = ''
      }
    }
    // A thread that cannot be read, or has no turns, has no words.
    const catchUp = (): Promise<unknown> => thread.status().catch(() => {})
    void catchUp().then(() => {
      if (!signal.aborted) signal.addEventListener('abort', thread.follow(take), { once: true })
    })
    return () => void catchUp()
  }

  close(): Promise<void> {
    return this.#hub.close()
  }
}

/** Longer answers are cut at the start: all of it is in the message, once it is recorded. */
const wordsMax = 10_000
