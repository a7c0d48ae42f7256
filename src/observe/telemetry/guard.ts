import { describeError } from '../../core/describe-error.ts'
import { printable } from '../../core/printable.ts'

/** Runs telemetry code and returns undefined if it throws. The first error is emitted as a process warning. */
export type Guard = <T>(work: () => T) => T | undefined

export function createGuard(): Guard {
  let hasWarned = false
  return work => {
    try {
      return work()
    } catch (error) {
      if (!hasWarned) warn(error)
      hasWarned = true
      return undefined
    }
  }
}

function warn(error: unknown): void {
  try {
    const message = describeError(error)
    globalThis.process?.emitWarning?.(printable(`telemetry failed: ${message}`), { code: 'ANTIPHON_TELEMETRY' })
  } catch {
    // The thrown value cannot be converted to a string.
  }
}
