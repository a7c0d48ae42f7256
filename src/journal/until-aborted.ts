/** What `untilAborted` gives back if the signal was quicker. */
export const aborted = Symbol('aborted')

/**
 * What the promise comes to, or `aborted` if the signal is quicker. A signal may live much longer than what is waited for:
 * nothing of that stays with it.
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
