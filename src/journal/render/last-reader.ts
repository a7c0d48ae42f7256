import type { DialectId } from '../../core/dialects/index.ts'
import type { ThreadState } from '../fold.ts'

/** Whoever answered last in a thread: the one that it is most likely to be read by again. */
export function lastReader({ items }: ThreadState): DialectId {
  for (const item of [...items].reverse()) if (item.kind === 'step') return item.step.response.dialect as DialectId
  return 'openai'
}
