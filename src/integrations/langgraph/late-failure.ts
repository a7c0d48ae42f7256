import { warn } from '../../heal/warn.ts'
import type { GraphRun } from './leases.ts'

/**
 * LangGraph checks for storage errors only at the end of a run, and an unhandled rejection ends the process. So a run gets
 * the error at its next action: no model is called, no tool is run, and nothing of it is stored.
 */
export async function failLater(run: GraphRun | undefined, error: unknown, isLast: boolean): Promise<void> {
  if (!run) throw error
  run.failure ??= error
  if (!isLast) return warn(error)
  await new Promise(resolve => setImmediate(resolve))
  throw error
}

/** The same promise, whose rejection may be handled later. */
export function withoutUnhandledRejection<T>(promise: Promise<T>): Promise<T> {
  const then: Promise<T>['then'] = (done, failed) => {
    const next = Promise.prototype.then.call(promise, done as never, failed) as Promise<never>
    next.catch(() => {})
    return next
  }
  return Object.defineProperty(promise, 'then', { value: then })
}
