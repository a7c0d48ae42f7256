import type { Log } from '../log.ts'
import type { Store } from '../stores/store.ts'

/**
 * Interrupts the agent of a call that already has a result. If the agent cannot be interrupted now, a worker or the next turn of the
 * parent ends it.
 */
export async function endAgent(store: Store, log: Log): Promise<void> {
  try {
    const row = await store.find(log.name)
    if (!row || row.state === 'idle' || row.state === 'erased') return
    await log.command(() => ({ do: 'interrupt', reason: 'the call of the agent has a result' }))
  } catch {
    // The call has its result: a failure in the thread of the agent, which may be erased by now, must not fail this write.
  }
}
