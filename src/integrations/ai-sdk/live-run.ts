import type { ReplyDelta } from '../../codecs/shared/reply.ts'
import { sleep, systemClock } from '../../journal/clock.ts'
import type { Entry } from '../../journal/entry.ts'
import type { LiveItem, RunEvent, RunOptions, Thread } from '../../journal/index.ts'

/** An event for a listener, in the order of occurrence. */
export type LiveEvent =
  | { readonly kind: 'entry'; readonly entry: Entry }
  /** `since` is the last entry when the response began. */
  | { readonly kind: 'delta'; readonly delta: ReplyDelta; readonly since: number }
  | { readonly kind: 'retract'; readonly since: number }
  /** An agent asks something, or a call of an agent has a result. */
  | { readonly kind: 'agent' }
  | { readonly kind: 'over' }

export interface LiveRunOptions extends RunOptions {
  /** Called for every turn that fails. */
  readonly onError: (error: unknown) => void
}

/**
 * A run of this process, which any number of listeners can follow from any moment. If another process owns the thread, they get what that one
 * streams. `#current` is what has streamed of the response that is not recorded yet, so that later listeners get it too.
 */
export class LiveRun {
  readonly done: Promise<void>
  isOver = false
  readonly #listeners = new Set<(event: LiveEvent) => void>()
  #current: LiveEvent[] = []
  #isAskedAgain = false
  #pauseAbort = new AbortController()

  constructor(thread: Thread, options: LiveRunOptions) {
    const unsubscribe = thread.follow(item => this.#handleItem(item))
    this.done = this.#run(thread, options).finally(() => {
      unsubscribe()
      this.#notify({ kind: 'over' })
    })
  }

  /** There may be new work: the run checks again before it ends. */
  checkAgain(): void {
    this.#isAskedAgain = true
    this.#pauseAbort.abort()
  }

  /** Gets all events from now on, and what is streaming at the moment. */
  listen(listener: (event: LiveEvent) => void): () => void {
    for (const event of this.#current) listener(event)
    this.#listeners.add(listener)
    if (this.isOver) listener({ kind: 'over' })
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#pauseAbort.abort()
    }
  }

  async #run(thread: Thread, options: LiveRunOptions): Promise<void> {
    try {
      // Imported only now, since healing alone must work without Node APIs.
      const { run } = await import('../../journal/run.ts')
      const onEvent = (event: RunEvent): void => {
        if (event.kind === 'compaction-failed') options.onError(Object.assign(new Error(), event.error))
        if (event.kind === 'agent-event' && isAgentNews(event.event)) this.#notify({ kind: 'agent' })
      }
      /** The turn that failed last. */
      let failed: number | undefined
      let isOwned = false
      for (;;) {
        this.#isAskedAgain = false
        try {
          const { status } = await run(thread, { ...options, ...(isOwned && { waitMs: 0 }), onEvent })
          isOwned = status === 'owned'
        } catch (error) {
          options.onError(error)
          const { state, last } = (await thread.status().catch(() => undefined)) ?? {}
          isOwned = state === 'running'
          // Other inputs may wait after the failed turn, and must not fail with it.
          if (state === 'waiting' && last?.turn !== failed) this.#isAskedAgain = true
          failed = last?.turn
        }
        // Its owner may be lost while a client waits for the answer: then the turn continues here.
        if (isOwned && this.#listeners.size > 0) await this.#pause()
        else if (!this.#isAskedAgain) break
      }
    } finally {
      // Immediately, so that no work is handed to a run that has just checked for the last time.
      this.isOver = true
    }
  }

  async #pause(): Promise<void> {
    this.#pauseAbort = new AbortController()
    if (!this.#isAskedAgain) await sleep(systemClock, pauseMs, this.#pauseAbort.signal)
  }

  #handleItem(item: LiveItem): void {
    if (item.kind === 'delta') {
      const { delta, since } = item
      const event = { kind: 'delta', delta, since } as const
      this.#current.push(event)
      this.#notify(event)
    } else if (item.kind === 'response-retract') {
      this.#current = []
      this.#notify({ kind: 'retract', since: item.since })
    } else {
      if (item.kind === 'response-record') this.#current = []
      this.#notify({ kind: 'entry', entry: item })
    }
  }

  #notify(event: LiveEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

const isAgentNews = (event: RunEvent): boolean =>
  event.kind === 'agent-event' ? isAgentNews(event.event) : event.kind === 'approval-request' || event.kind === 'result'

/** How often a turn with another owner is checked. */
const pauseMs = 1_000
