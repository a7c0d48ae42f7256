import type { EraseOptions, Store } from '../stores/store.ts'

/**
 * Erases a thread step by step. If the process crashes in between, the thread stays fenced, and the next call continues the erasure: by the
 * application, by `expire`, or by a worker. Returns false if the thread was written after `idleSince`.
 */
export async function eraseThread(store: Store, thread: number, options: EraseOptions = {}): Promise<boolean> {
  for (;;) {
    const erasure = await store.erase(thread, options)
    if (erasure !== 'partly') return erasure === 'erased'
  }
}
