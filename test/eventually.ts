import { vi } from 'vitest'

/** Asks again until it holds. A machine that does much else may take longer than the second that vitest waits. */
export const eventually = <T>(holds: () => T | Promise<T>): Promise<T> => vi.waitFor(holds, { timeout: 300_000 })
