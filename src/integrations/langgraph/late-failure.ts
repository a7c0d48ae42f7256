import { warn } from '../../heal/warn.ts'
import type { Run } from './leases.ts'

/**
 * LangGraph looks at what it has stored only at the end of a run, and an error that nobody looks at ends the process. So a run
 * learns of it with what it does next: the model is not asked, no tool is run, and nothing of it is stored.
 */
export async function failLater(run: Run | undefined, error: unknown, isLast: boolean): Promise<void> {
  if (!run) throw error
  run.failure ??= error
  if (!isLast) return warn(error)
  await new Promise(resolve => setImmediate(resolve))
  throw error
}

/** The same promise, of which an error may be looked at later. */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  const then: Promise<T>['then'] = (done, failed) => {
    const next = Promise.prototype.then.call(promise, done as never, failed) as Promise<never>
    next.catch(() => {})
    return next
  }
  return Object.defineProperty(promise, 'then', { value: then })
}
