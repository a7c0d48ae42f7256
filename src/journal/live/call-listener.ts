import { describeError } from '../../core/describe-error.ts'
import { emitWarning } from '../../heal/warn.ts'

/** Calls a listener of a thread. If it throws, a process warning is emitted: it must not affect the thread. */
export function callListener(thread: string, call: () => void): void {
  try {
    call()
  } catch (error) {
    emitWarning(`a listener of thread ${thread} failed: ${describeError(error)}`, { code: 'ANTIPHON_LISTENER' })
  }
}
