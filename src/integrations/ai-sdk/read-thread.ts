import type { Entry } from '../../journal/entry.ts'
import type { Store, ThreadRow } from '../../journal/stores/store.ts'

export interface StoredThread {
  readonly uid: string
  readonly entries: Entry[]
}

/** The entries of a thread after a position; undefined if there is no such thread. */
export async function readThread(store: Store, name: string, after = 0): Promise<StoredThread | undefined> {
  const row = await store.find(name)
  return row && { uid: row.uid, entries: await readAfter(store, row, after) }
}

/** The same from the beginning of the latest turn, however long the thread is. */
export async function readLatestTurn(store: Store, name: string): Promise<StoredThread | undefined> {
  const row = await store.find(name)
  if (!row) return undefined
  for (let count = firstLook; ; count *= 4) {
    const after = Math.max(0, row.head - count)
    const entries = await readAfter(store, row, after)
    const start = entries.findLastIndex(({ kind }) => kind === 'turn-start')
    if (start >= 0 || after === 0) return { uid: row.uid, entries: entries.slice(Math.max(0, start)) }
  }
}

/** Whether the turn waits for a person or a client, and nothing else is to be done until then. */
export async function isWaiting(store: Store, name: string): Promise<boolean> {
  const { state, dueAt } = (await store.find(name)) ?? {}
  return state === 'parked' && (dueAt === undefined || dueAt > (await store.now()))
}

async function readAfter(store: Store, { thread }: ThreadRow, after: number): Promise<Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const more = await store.read(thread, entries.at(-1)?.seq ?? after)
    if (more.length === 0) return entries
    for (const entry of more) entries.push(entry)
  }
}

const firstLook = 64
