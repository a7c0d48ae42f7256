/** Time as the broker knows it. Tests bring their own. */
export interface Clock {
  now(): number
  /** Calls back once after a while; the answer takes it back. */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, timeoutMax))
    return () => clearTimeout(timer)
  },
}

/** Waits, or until the signal is aborted. Never fails. */
export const sleep = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal?.aborted) return resolve()
    const cancel = clock.after(ms, done)
    signal?.addEventListener('abort', done, { once: true })
    function done(): void {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })

/** What the promise comes to in so much time, else undefined; the signal ends the time early. The timer ends with the wait. */
export async function within<T>(
  clock: Clock,
  ms: number,
  promise: PromiseLike<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const over = new AbortController()
  const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal
  try {
    return await Promise.race([promise, sleep(clock, ms, stop).then(() => undefined)])
  } finally {
    over.abort()
  }
}

/** The longest that a timer can wait. */
const timeoutMax = 2 ** 31 - 1
