/** A delay for a timer: a longer one, such as Infinity, is none at all for `setTimeout`, which counts it in 32 bits. */
export const timerDelay = (ms: number): number => Math.min(ms, 2 ** 31 - 1)
