import { sleep, systemClock } from '../../journal/clock.ts'
import type { RunEvent, RunOptions, Thread } from '../../journal/index.ts'

/** What a listener gets beside what `thread.follow` says: an agent asks something, or a call of an agent has a result; the run is over. */
export type RunNews = { readonly kind: 'agent' } | { readonly kind: 'over' }

export interface LiveRunOptions extends RunOptions {
  /** Called for every turn that fails. */
  readonly onError: (error: unknown) => void
}

/** A run of this process. While it has listeners and another process owns the thread, it waits to continue the turn if that one is lost. */
export class LiveRun {
  readonly done: Promise<void>
  isOver = false
  readonly #listeners = new Set<(news: RunNews) => void>()
  #isAskedAgain = false
  #pauseAbort = new AbortController()

  constructor(thread: Thread, options: LiveRunOptions) {
    this.done = this.#run(thread, options).finally(() => this.#notify('over'))
  }

  /** There may be new work: the run checks again before it ends. */
  checkAgain(): void {
    this.#isAskedAgain = true
    this.#pauseAbort.abort()
  }

  listen(listener: (news: RunNews) => void): () => void {
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
        if (event.kind === 'agent-event' && isAgentNews(event.event)) this.#notify('agent')
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
          isOwned = state === 'running' || (state === 'parked' && (await areAgentsWorking(thread)))
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

  #notify(kind: RunNews['kind']): void {
    for (const listener of this.#listeners) listener({ kind })
  }
}

/** Clients wait for agents of other processes too, also if each run here fails at once. */
const areAgentsWorking = (thread: Thread): Promise<boolean> => thread.agents.areWorking().catch(() => false)

const isAgentNews = (event: RunEvent): boolean =>
  event.kind === 'agent-event' ? isAgentNews(event.event) : event.kind === 'approval-request' || event.kind === 'result'

/** How often a turn with another owner is checked. */
const pauseMs = 1_000
