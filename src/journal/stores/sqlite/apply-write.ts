import { type Effects, effectsOf } from '../../effects.ts'
import { type CallPlace, type EntryKind, storedVersionOf } from '../../entry.ts'
import { assertNotErased } from '../../erasure/tombstone.ts'
import { entryColumn, hasBytes } from '../entry-column.ts'
import type { KnownInput, RefusalReason, Write, WriteResult } from '../store.ts'
import { checkTimes, timesAfterClockSetBack } from '../times.ts'
import { readPosition, readThreadRow, type ThreadPosition } from './read-thread.ts'
import type { StoreStatements } from './statements.ts'

/** A write, copied and serialized, so that later changes of the caller's objects do not reach it. */
export interface SqliteWrite {
  readonly write: Omit<Write, 'entries'>
  readonly entries: readonly { readonly kind: EntryKind; readonly version: number; readonly data: string | Buffer }[]
  /** Computed as if the thread were empty. */
  readonly effects: Effects
  /** Its approximate size on disk. */
  readonly bytes: number
}

/** Throws if the data cannot be written as JSON, or a time is invalid. */
export function prepareSqliteWrite({ entries: data, ...write }: Write): SqliteWrite {
  checkTimes(write)
  let bytes = 0
  const entries = data.map(entry => {
    const { kind, ...rest } = entry
    const column = entryColumn(rest)
    bytes += column.length
    return { kind, version: storedVersionOf(entry, hasBytes(entry)), data: column }
  })
  return { write, entries, effects: effectsOf(data, 0), bytes }
}

/** Checks a write and then applies it. It must run inside a transaction. */
export function applyWrite(statements: StoreStatements, draft: SqliteWrite, now: number): WriteResult {
  const { write, entries, effects } = draft
  const { thread, input } = write
  const from = expectedPosition(statements, write)
  const [head, epoch] = [from.head + entries.length, from.epoch + (write.lease ? 1 : 0)]
  // The statement that moves the thread can guard one call. Several are checked before.
  const hasSeveralCalls = effects.starts.length + effects.settles.length > 1
  if (hasSeveralCalls && callRefusal(statements, thread, effects)) return refusal(statements, draft, now)
  const move = () => moveThread(statements, draft, from, { head, epoch }, now)
  if (!move() && !(correctTimes(statements, thread, now) && move())) return refusal(statements, draft, now)
  let seq = from.head
  for (const { kind, version, data } of entries) statements.addEntry.run(thread, ++seq, epoch, now, version, kind, data)
  changeCalls(statements, thread, effects, from.head)
  if (input) statements.addInput.run(thread, input.key, input.digest, head)
  return { ok: true, head, epoch, at: now }
}

/** Corrects the times of a thread whose last change is in the future, and returns whether it was. */
export function correctTimes(statements: StoreStatements, thread: number, now: number): boolean {
  const row = readThreadRow(statements, thread)
  if (row.updatedAt <= now) return false
  const { leasedUntil, dueAt } = timesAfterClockSetBack(row, now)
  statements.setTimes.run(leasedUntil, dueAt ?? null, now, thread)
  return true
}

type Position = Pick<ThreadPosition, 'head' | 'epoch'>

/** The head and epoch that the write expects. Those that it does not name are looked up. */
function expectedPosition(
  statements: StoreStatements,
  { thread, head, epoch }: Pick<Write, 'thread' | 'head' | 'epoch'>,
): Position {
  if (head !== undefined && epoch !== undefined) return { head, epoch }
  const place = readPosition(statements, thread)
  return { head: head ?? place.head, epoch: epoch ?? place.epoch }
}

/** The first reason that applies, in the order of `RefusalReason`. */
function refusal(statements: StoreStatements, { write, effects }: SqliteWrite, now: number): WriteResult {
  const { thread, input } = write
  const row = assertNotErased(readThreadRow(statements, thread))
  const known = input && (statements.inputByKey.get(thread, input.key) as unknown as KnownInput | undefined)
  if (known) return { ok: false, why: 'known', row, known: { ...known } }
  const why = (): RefusalReason => {
    if (write.epoch !== undefined && write.epoch !== row.epoch) return 'fenced'
    if (write.head !== undefined && write.head !== row.head) return 'moved'
    if (write.lease && row.leasedUntil > now) return 'leased'
    if (write.onlyIf && write.onlyIf !== row.state) return 'busy'
    return callRefusal(statements, thread, effects) ?? 'busy'
  }
  return { ok: false, why: why(), row }
}

function callRefusal(statements: StoreStatements, thread: number, effects: Effects): RefusalReason | undefined {
  const { starts, settles, requiresAllSettled } = effects
  const settled = settles.length > 0 ? openCalls(statements, thread, settles).size : 0
  if (requiresAllSettled && Number(statements.countOpenCalls.get(thread)?.count) > settled) return 'open'
  if (settled < settles.length) return 'settled'
  if (starts.length === 0) return undefined
  const started = openCalls(statements, thread, starts)
  if (starts.some(call => !started.has(nameOf(call)))) return 'settled'
  return started.size < starts.length || [...started.values()].includes(1) ? 'started' : undefined
}

/** Which of the calls are open, and whether each is started. */
function openCalls(statements: StoreStatements, thread: number, calls: readonly CallPlace[]): Map<string, unknown> {
  const open = new Map<string, unknown>()
  for (const call of calls) {
    const found = statements.openCall.get(thread, call.step, call.index)
    if (found) open.set(nameOf(call), found.started)
  }
  return open
}

const nameOf = ({ step, index }: CallPlace): string => `${step}.${index}`

/** Returns false if a guard does not hold, or the last change of the thread is in the future. */
function moveThread(
  statements: StoreStatements,
  draft: SqliteWrite,
  from: Position,
  to: Position,
  now: number,
): boolean {
  const { write, effects } = draft
  const { thread, lease, release, dueAt } = write
  const owner = release ? null : (lease?.owner ?? null)
  const until = release ? 0 : lease ? now + lease.ms : null
  const set = [to.head, to.epoch, write.state ?? null, now, until === null ? 0 : 1, owner, until] as const
  const place = [thread, from.head, from.epoch, now, lease ? now : null, write.onlyIf ?? null] as const
  const guards = [...place, write.input?.key ?? null, ...callGuards(effects)] as const
  if (dueAt === undefined) return statements.moveThread.run(...set, ...guards).changes === 1
  const due = dueAt === 'now' ? now : dueAt
  const keepsEarlier = dueAt === 'now' && !release ? 1 : 0
  return statements.moveThreadAndDue.run(...set, keepsEarlier, due, due, ...guards).changes === 1
}

/** No call is open except the settled one; a settled call is open; a started call was not started before. */
function callGuards({ starts, settles, requiresAllSettled }: Effects) {
  if (starts.length + settles.length > 1) return unguarded
  const [started, settled] = [starts.at(0), settles.at(0)]
  const startedMax = started ? 0 : settled ? 1 : null
  return [
    requiresAllSettled ? 1 : null,
    ...placed(settled),
    startedMax,
    ...placed(started ?? settled),
    startedMax,
  ] as const
}

const placed = (call: CallPlace | undefined) => [call?.step ?? null, call?.index ?? null] as const

const unguarded = [null, null, null, null, null, null, null] as const

/** `head` is the last sequence number before the write. */
function changeCalls(
  statements: StoreStatements,
  thread: number,
  { opens, starts, settles }: Effects,
  head: number,
): void {
  for (const { step, index } of opens) statements.addOpenCall.run(thread, head + step, index)
  for (const { step, index } of starts) statements.startCall.run(thread, step, index)
  for (const { step, index } of settles) statements.settleCall.run(thread, step, index)
}
