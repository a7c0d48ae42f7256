import type { RunOptions, Thread } from '../../broker/index.ts'
import type { ReplyDelta } from '../../codecs/reply.ts'
import type { Entry } from '../../journal/entry.ts'

/** What a listener hears, in the order in which it happened. */
export type Happened =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'delta'; readonly delta: ReplyDelta }
  | { readonly kind: 'retract' }
  | { readonly kind: 'over' }

/**
 * A run of this process, which any number of listeners follow from any moment. `#current` is what has streamed of the
 * response that is not recorded yet, so that whoever comes later hears it too.
 */
export class LiveRun {
  readonly done: Promise<void>
  isOver = false
  readonly #listeners = new Set<(happened: Happened) => void>()
  #current: ReplyDelta[] = []
  #isAskedAgain = false

  constructor(thread: Thread, options: RunOptions) {
    const forget = thread.listen(entries => {
      for (const entry of entries) {
        if (entry.kind === 'response-record') this.#current = []
        this.#tell({ kind: 'entry', entry })
      }
    })
    this.done = this.#run(thread, options).finally(() => {
      forget()
      this.#tell({ kind: 'over' })
    })
  }

  /** There may be something new to do: it is looked for before the run ends. */
  askAgain(): void {
    this.#isAskedAgain = true
  }

  /** Hears of everything from now on, and of what is streaming just now. */
  listen(listener: (happened: Happened) => void): () => void {
    for (const delta of this.#current) listener({ kind: 'delta', delta })
    this.#listeners.add(listener)
    if (this.isOver) listener({ kind: 'over' })
    return () => this.#listeners.delete(listener)
  }

  async #run(thread: Thread, options: RunOptions): Promise<void> {
    try {
      // Only now, since whoever only heals may do so where there is nothing of Node.
      const { run } = await import('../../broker/run.ts')
      do {
        this.#isAskedAgain = false
        await run(thread, {
          ...options,
          onEvent: event => {
            if (event.kind === 'delta') {
              this.#current.push(event.delta)
              this.#tell(event)
            } else if (event.kind === 'response-retract') {
              this.#current = []
              this.#tell({ kind: 'retract' })
            }
          },
        })
      } while (this.#isAskedAgain)
    } finally {
      // At once, so that nobody asks a run again that has just looked for the last time.
      this.isOver = true
    }
  }

  #tell(happened: Happened): void {
    for (const listener of this.#listeners) listener(happened)
  }
}
