/** The current time and timers. Tests can pass their own. */
export interface Clock {
  now(): number
  /** Calls back once after `ms`. The returned function cancels it. */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, timeoutMax))
    return () => clearTimeout(timer)
  },
}

/** Waits for `ms`, or until the signal is aborted. Never rejects. */
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

/** The value of the promise, or undefined after `ms` or when the signal is aborted. */
export async function withTimeout<T>(
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

/** Returned by `untilAborted` if the signal was aborted first. */
export const aborted = Symbol('aborted')

/**
 * The value of the promise, or `aborted` if the signal is aborted first. The listener is removed from the signal, which may
 * live much longer than the promise.
 */
export function untilAborted<T>(signal: AbortSignal, promise: PromiseLike<T>): Promise<T | typeof aborted> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(aborted)
    const forget = (): void => signal.removeEventListener('abort', stop)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
    promise.then(
      value => {
        forget()
        resolve(value)
      },
      error => {
        forget()
        reject(error)
      },
    )
  })
}

/** The longest delay of a Node timer. */
const timeoutMax = 2 ** 31 - 1
