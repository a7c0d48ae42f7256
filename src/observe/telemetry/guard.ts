import { plain } from '../../core/plain.ts'
/** Runs a piece of telemetry. If it fails nothing comes back, and nobody is harmed: the first time it is a warning. */
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
    const words = error instanceof Error ? error.message : String(error)
    globalThis.process?.emitWarning?.(plain(`telemetry failed: ${words}`), { code: 'ANTIPHON_TELEMETRY' })
  } catch {
    // Whoever throws what cannot be written is not told.
  }
}
