import type { EraseOptions, Store } from '../stores/store.ts'

/**
 * Erases a thread step by step. If the process crashes meanwhile, the thread stays fenced, and whoever calls this next continues: the caller,
 * `expire`, or a worker. Returns false if the thread is not idle enough.
 */
export async function eraseThread(store: Store, thread: number, options: EraseOptions = {}): Promise<boolean> {
  for (;;) {
    const erasure = await store.erase(thread, options)
    if (erasure !== 'partly') return erasure === 'erased'
  }
}
