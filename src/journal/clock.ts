import { timerDelay } from '../core/timer-delay.ts'

/** The current time and timers. Tests can pass their own. */
export interface Clock {
  now(): number
  /** Calls back once after `ms`. The returned function cancels it. */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, timerDelay(ms))
    return () => clearTimeout(timer)
  },
}

/** Lets timers and input be handled. */
export const nextRound = (): Promise<void> =>
  new Promise(resolve => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })

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
 * The value of the promise, or `aborted` if the signal is aborted first. The signal, which may live much longer than the promise,
 * keeps nothing of it.
 */
export function untilAborted<T>(signal: AbortSignal, promise: PromiseLike<T>): Promise<T | typeof aborted> {
  return new Promise((resolve, reject) => {
    const unsubscribe = onAbort(signal, () => resolve(aborted))
    promise.then(
      value => {
        unsubscribe()
        resolve(value)
      },
      error => {
        unsubscribe()
        reject(error)
      },
    )
  })
}

/** The callbacks of each signal that has some, and the one listener that calls them. */
const listening = new WeakMap<AbortSignal, { readonly callbacks: Set<() => void>; readonly callAll: () => void }>()

/**
 * Calls back when the signal is aborted, until the returned function is called. All callbacks share one listener: Node compares a new
 * listener with all others, which for thousands of parallel calls would take quadratic time.
 */
function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  const { callbacks, callAll } = listening.get(signal) ?? listenTo(signal)
  callbacks.add(callback)
  return () => {
    callbacks.delete(callback)
    if (callbacks.size > 0) return
    signal.removeEventListener('abort', callAll)
    listening.delete(signal)
  }
}

function listenTo(signal: AbortSignal) {
  const callbacks = new Set<() => void>()
  const callAll = (): void => {
    for (const callback of callbacks) callback()
  }
  const listener = { callbacks, callAll }
  signal.addEventListener('abort', callAll)
  listening.set(signal, listener)
  return listener
}
