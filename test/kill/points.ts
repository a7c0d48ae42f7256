import type { Ledger } from './ledger.ts'

/** Where a process ends itself (SIGKILL), or falls asleep until somebody wakes it (SIGSTOP). */
export interface Stop {
  readonly point: string
  /** The how-manieth time that it gets there: the first, by default. */
  readonly nth?: number
  readonly signal: 'SIGKILL' | 'SIGSTOP'
}

/** The named points of a process. */
export class Points {
  readonly #stop: Stop | undefined
  readonly #ledger: Ledger
  readonly #counts = new Map<string, number>()

  constructor(stop: Stop | undefined, ledger: Ledger) {
    this.#stop = stop
    this.#ledger = ledger
  }

  reach(point: string): void {
    const count = (this.#counts.get(point) ?? 0) + 1
    this.#counts.set(point, count)
    if (count === 1) this.#ledger.add({ kind: 'point', point })
    if (this.#stop?.point !== point || count !== (this.#stop.nth ?? 1)) return
    process.kill(process.pid, this.#stop.signal)
    // A signal may take a moment to reach this thread, and not one line more may run until it does.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
}
