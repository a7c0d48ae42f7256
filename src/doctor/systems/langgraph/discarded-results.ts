import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { isRawNumber, parseExactly } from '../../../core/json/exact-json.ts'
import type { RecordFields } from '../../record-format.ts'
import { type CheckpointThread, checkpointBytesMax, messagesIn, readCheckpoint } from './checkpoint.ts'
import { kwargsOf } from './made-message.ts'

/**
 * Results that discarded steps left in `writes` of a checkpoint and its ancestors. They are read once, on demand, and
 * every checkpoint once. A result counts for one message only, the last one with calls in the checkpoint whose step
 * produced it, because call ids are reused in later turns.
 */
export class DiscardedResults {
  readonly #database: DatabaseSync
  readonly #thread: CheckpointThread
  #results: ResultsByCall | undefined

  constructor(database: DatabaseSync, thread: CheckpointThread) {
    this.#database = database
    this.#thread = thread
  }

  /** The newest result of a call that was produced for exactly this message of a channel. */
  find(channel: string, calling: unknown, callId: string): RecordFields | undefined {
    this.#results ??= this.#read()
    return this.#results.find(channel, calling, callId)
  }

  #read(): ResultsByCall {
    const { thread_id, checkpoint_ns } = this.#thread
    const results = new ResultsByCall()
    const lastCalls = new Map<string, ReadonlyMap<string, unknown>>()
    const rows = this.#database
      .prepare(candidates)
      .iterate(thread_id, checkpoint_ns, JSON.stringify(this.#ancestors())) as unknown as Iterable<WriteRow>
    for (const { checkpoint_id, channel, value } of rows) {
      const written = writtenIn(value).filter(message => resultId(message) !== undefined)
      if (written.length === 0) continue
      const keys = lastCalls.get(checkpoint_id) ?? this.#lastCalls(checkpoint_id)
      lastCalls.set(checkpoint_id, keys)
      const key = keys.get(channel)
      for (const message of written) results.add(channel, key, message)
    }
    return results
  }

  /** The ids of the checkpoint and its ancestors. */
  #ancestors(): string[] {
    const { thread_id, checkpoint_ns, checkpoint_id } = this.#thread
    const statement = this.#database.prepare(parents)
    const found = new Set([checkpoint_id])
    for (const id of found)
      for (const { parent } of statement.all(thread_id, checkpoint_ns, id)) found.add(parent as string)
    return [...found]
  }

  /** The identity of the last message with calls in each channel of a checkpoint; empty if it cannot be read. */
  #lastCalls(id: string): ReadonlyMap<string, unknown> {
    const { thread_id, checkpoint_ns } = this.#thread
    const keys = new Map<string, unknown>()
    try {
      const row = this.#database.prepare(checkpoints).get(thread_id, checkpoint_ns, id)
      for (const [channel, value] of Object.entries(readCheckpoint(row?.checkpoint, '').values)) {
        const last = messagesIn(value)?.findLast(isCalling)
        if (last !== undefined) keys.set(channel, keyOf(last))
      }
    } catch {
      keys.clear()
    }
    return keys
  }
}

/** Results by channel, call id, and the identity of the message with the call. The first one that is added counts. */
export class ResultsByCall {
  readonly #results = new Map<unknown, Map<unknown, Map<unknown, RecordFields>>>()

  /** Adds a result for the message with this key; without a key it belongs to none. */
  add(channel: string, key: unknown, message: unknown): void {
    if (key === undefined) return
    const byKey = entryOf(entryOf(this.#results, channel), resultId(message))
    if (!byKey.has(key)) byKey.set(key, message as RecordFields)
  }

  find(channel: string, calling: unknown, callId: string): RecordFields | undefined {
    return this.#results.get(channel)?.get(callId)?.get(keyOf(calling))
  }
}

function entryOf<Value extends Map<unknown, unknown>>(map: Map<unknown, Value>, key: unknown): Value {
  const found = map.get(key) ?? (new Map() as Value)
  map.set(key, found)
  return found
}

interface WriteRow {
  readonly checkpoint_id: string
  readonly channel: string
  readonly value: Uint8Array | string
}

const parents = `SELECT parent_checkpoint_id AS parent FROM checkpoints
  WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? AND typeof(parent_checkpoint_id) = 'text'`

/** Writes of the checkpoint and its ancestors that contain results, the newest first. */
const candidates = `SELECT checkpoint_id, channel, value FROM writes
  WHERE thread_id = ?1 AND checkpoint_ns = ?2 AND type = 'json'
    AND checkpoint_id IN (SELECT a.value FROM json_each(?3) a) AND instr(CAST(value AS TEXT), 'tool_call_id') > 0
  ORDER BY checkpoint_id DESC, task_id, idx`

const checkpoints = `SELECT iif(length(checkpoint) <= ${checkpointBytesMax}, checkpoint, NULL) AS checkpoint
  FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? AND type = 'json'`

/** The messages of a write; empty if it cannot be read. */
export function writtenIn(value: Uint8Array | string): readonly unknown[] {
  try {
    return [parseExactly(typeof value === 'string' ? value : Buffer.from(value).toString())].flat()
  } catch {
    return []
  }
}

/** The id of the call that a message answers; undefined if it is not a result. */
export function resultId(message: unknown): unknown {
  const isResult = isRecord(message) && Array.isArray(message.id) && message.id.at(-1) === 'ToolMessage'
  return isResult ? kwargsOf(message)?.tool_call_id : undefined
}

export function isCalling(message: unknown): boolean {
  const calls = kwargsOf(message)?.tool_calls
  return Array.isArray(calls) && calls.length > 0
}

/** The same for two messages with the same id, or with no id and equal content. */
export function keyOf(message: unknown): unknown {
  const known = isRecord(message) ? keys.get(message) : undefined
  if (known !== undefined) return known
  const kwargs = kwargsOf(message)
  if (!kwargs) return undefined
  const { id } = kwargs
  const key = id === undefined || id === null ? contentKey(kwargs) : typeof id === 'string' ? `is ${id}` : id
  keys.set(message as object, key)
  return key
}

const keys = new WeakMap<object, unknown>()

/** The content of a message, independent of the order of its fields; undefined if it is nested too deeply. */
function contentKey(kwargs: RecordFields): string | undefined {
  const inOrder = (_key: string, value: unknown): unknown =>
    isRecord(value) && !isRawNumber(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  try {
    return `says ${JSON.stringify(kwargs, inOrder)}`
  } catch {
    return undefined
  }
}
