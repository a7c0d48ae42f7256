import { AntiphonError } from '../../core/errors.ts'
import { parentOf } from '../agents/child-name.ts'
import type { Entry, TurnStatus } from '../entry.ts'
import { evolve, initialState, type ThreadState } from '../fold.ts'
import type { Store, ThreadOrder, ThreadRow } from './store.ts'

export interface ThreadsOptions {
  /** Only threads with this label. */
  readonly label?: string
  /** Only threads with this status. Erased threads are never listed. */
  readonly status?: Exclude<ThreadStatus, 'erased'>
  /** In the order of their creation: the oldest first by default. */
  readonly order?: ThreadOrder
  /** Begin after this thread, by the `thread` of its row: the last one of the page before. */
  readonly after?: number
  /** At most so many. */
  readonly limit?: number
  /** Include the threads of agents, which belong to a call of another thread. */
  readonly children?: boolean
}

/** The state of a thread; `failed` if it is idle and its last turn failed. */
export type ThreadStatus = ThreadRow['state'] | 'failed'

/** All threads but those of agents and those that are being erased; with options, some of them. */
export async function* readThreads(store: Store, options: ThreadsOptions = {}): AsyncGenerator<ThreadRow> {
  const { label, status, order = 'oldest', after, limit = Infinity, children = false } = options
  let left = limit
  if (left < 1) return
  for await (const row of listThreads(store, order, after)) {
    if (row.state === 'erased' || (!children && parentOf(row.name))) continue
    if (label !== undefined && !row.metadata?.labels.includes(label)) continue
    if (status !== undefined && (await threadStatus(store, row)) !== status) continue
    yield row
    if (--left < 1) return
  }
}

/** All threads of which something is left. */
export async function* listThreads(
  store: Store,
  order: ThreadOrder = 'oldest',
  start = order === 'oldest' ? 0 : Number.MAX_SAFE_INTEGER,
): AsyncGenerator<ThreadRow> {
  for (let after = start; ; ) {
    const rows = await store.list(after, pageSize, order)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.thread
  }
}

/** The entries of a thread after a position; by default all of them. */
export async function* readEntries(
  store: Store,
  { thread }: Pick<ThreadRow, 'thread'>,
  position = 0,
): AsyncGenerator<Entry> {
  for (let after = position; ; ) {
    const entries = await store.read(thread, after, pageSize)
    yield* entries
    const last = entries.at(-1)
    if (!last) return
    after = last.seq
  }
}

export async function readState(store: Store, row: ThreadRow): Promise<ThreadState> {
  const state = initialState(row.uid)
  for await (const entry of readEntries(store, row)) evolve(state, entry)
  return state
}

/** A thread that cannot be read has its state as status. */
export async function threadStatus(store: Store, row: ThreadRow): Promise<ThreadStatus> {
  const { state, dueAt } = row
  if (state !== 'idle' || dueAt !== undefined) return state
  try {
    return (await lastTurnStatus(store, row)) === 'failed' ? 'failed' : state
  } catch (error) {
    if (AntiphonError.is(error)) return state
    throw error
  }
}

/** How the last turn of a thread ended; undefined if none has. The thread is read from its end. */
export async function lastTurnStatus(
  store: Store,
  { thread, head }: Pick<ThreadRow, 'thread' | 'head'>,
): Promise<TurnStatus | undefined> {
  for (let end = head; end > 0; end -= tailSize) {
    let status: TurnStatus | undefined
    for (let after = Math.max(0, end - tailSize); after < end; ) {
      const entries = await store.read(thread, after, end - after)
      for (const entry of entries) if (entry.kind === 'turn-end') status = entry.status
      after = entries.at(-1)?.seq ?? end
    }
    if (status) return status
  }
  return undefined
}

/** The last entries of an idle thread nearly always include the end of its last turn. */
const tailSize = 20

const pageSize = 500
