/** Lets others have a turn: what goes on in the background must not keep anybody waiting. */
export const pause = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
