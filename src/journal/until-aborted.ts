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
