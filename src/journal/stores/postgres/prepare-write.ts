import { type Effects, effectsOf } from '../../effects.ts'
import { type CallPlace, type EntryData, type EntryKind, storedVersionOf } from '../../entry.ts'
import type { StoredThreadState, Write } from '../store.ts'
import { checkTimes } from '../times.ts'
import { toColumn, toInternalKey, toKey } from './text-column.ts'
import { randomToken } from './token.ts'

/** A write, copied and serialized, so that later changes of the caller's objects do not reach it. */
export interface PostgresWrite {
  readonly thread: number
  readonly entries: readonly { readonly kind: EntryKind; readonly version: number; readonly data: string }[]
  /** Computed as if the head were 0: the step of an opened call is the position of its response in `entries`. */
  readonly effects: Effects
  /** The calls that are started or settled. */
  readonly calls: readonly CallPlace[]
  readonly head: number | undefined
  readonly epoch: number | undefined
  readonly lease: { readonly owner: string; readonly ms: number } | undefined
  readonly release: boolean
  readonly onlyIf: StoredThreadState | undefined
  readonly state: StoredThreadState | undefined
  readonly dueAt: number | 'now' | null | undefined
  /**
   * A key that can be written once. A write with neither an input nor a head gets a random one: if its connection breaks it is
   * sent again, and only the key prevents it from being stored twice.
   */
  readonly key: string | undefined
  readonly digest: string
  /** Random, and stored with the entries, so that a write is recognised if its answer was lost. */
  readonly token: string
}

export function preparePostgresWrite(write: Write): PostgresWrite {
  const { thread, head, epoch, lease, onlyIf, state, input } = write
  const token = randomToken()
  const blind = head === undefined && !input && write.entries.length > 0
  const effects = effectsOf(write.entries, 0)
  const calls = [...effects.starts, ...effects.settles]
  checkTimes(write)
  return {
    ...{ thread, entries: write.entries.map(serializeEntry), effects, calls },
    ...{ head, epoch, onlyIf, state, token, release: write.release === true },
    lease: lease && { owner: toColumn(lease.owner), ms: Math.round(lease.ms) },
    dueAt: typeof write.dueAt === 'number' ? Math.round(write.dueAt) : write.dueAt,
    key: input ? toKey(input.key) : blind ? toInternalKey(token) : undefined,
    digest: toColumn(input?.digest ?? ''),
  }
}

function serializeEntry(entry: EntryData): PostgresWrite['entries'][number] {
  const { kind, ...data } = entry
  return { kind, version: storedVersionOf(entry), data: JSON.stringify(data) }
}
