/** Yields to the event loop, so that background work does not delay requests. */
export const pause = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
