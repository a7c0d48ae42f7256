import type { Log } from '../log.ts'
import type { Store } from '../stores/store.ts'

/**
 * Interrupts the agent of a call that got a result from elsewhere, wherever it runs or waits. What it cannot reach now, a worker or the next turn of
 * the parent ends.
 */
export async function endAgent(store: Store, log: Log): Promise<void> {
  try {
    const row = await store.find(log.name)
    if (!row || row.state === 'idle' || row.state === 'erased') return
    await log.command(() => ({ do: 'interrupt', reason: 'the call of the agent has a result' }))
  } catch {
    // The call has its result. The error of another thread, which may be erased by now, is not one of this write.
  }
}
