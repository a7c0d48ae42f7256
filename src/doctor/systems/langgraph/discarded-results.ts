import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import { equal } from '../../../core/json/equal.ts'
import { parseExactly } from '../../../core/json/exact-json.ts'
import { readCheckpoint, type Thread } from './checkpoint.ts'
import { type Fields, kwargsOf } from './made-message.ts'

/**
 * Results that discarded steps left in `writes` of a checkpoint and its ancestors. They are looked through once, when the
 * first is asked for; `#places` has the rows that name a call, the newest first.
 */
export class DiscardedResults {
  readonly #database: DatabaseSync
  readonly #thread: Thread
  readonly #channel: string
  #places: Map<unknown, number[]> | undefined

  constructor(database: DatabaseSync, thread: Thread, channel: string) {
    this.#database = database
    this.#thread = thread
    this.#channel = channel
  }

  /** The result of a call. It must have been given for this very message: ids of calls come again in later turns. */
  find(calling: unknown, callId: string): Fields | undefined {
    this.#places ??= this.#look()
    for (const place of this.#places.get(callId) ?? []) {
      const row = this.#database.prepare(written).get(place) as unknown as WriteRow | undefined
      const result = row && writtenIn(row.value).find(message => resultId(message) === callId)
      if (result && isGivenFor(row.checkpoint, calling, this.#channel)) return result as Fields
    }
    return undefined
  }

  #look(): Map<unknown, number[]> {
    const { thread_id, checkpoint_ns } = this.#thread
    const places = new Map<unknown, number[]>()
    const ancestors = JSON.stringify(this.#ancestors())
    const rows = this.#database.prepare(candidates).iterate(thread_id, checkpoint_ns, this.#channel, ancestors)
    for (const { place, value } of rows as unknown as Iterable<{ place: number; value: Uint8Array | string }>) {
      for (const id of new Set(writtenIn(value).map(resultId))) {
        const known = places.get(id)
        if (known) known.push(place)
        else if (id !== undefined) places.set(id, [place])
      }
    }
    return places
  }

  /** The ids of the checkpoint and of those before it. */
  #ancestors(): string[] {
    const { thread_id, checkpoint_ns, checkpoint_id } = this.#thread
    const statement = this.#database.prepare(parents)
    const found = new Set([checkpoint_id])
    for (const id of found)
      for (const { parent } of statement.all(thread_id, checkpoint_ns, id)) found.add(parent as string)
    return [...found]
  }
}

const parents = `SELECT parent_checkpoint_id AS parent FROM checkpoints
  WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? AND typeof(parent_checkpoint_id) = 'text'`

interface WriteRow {
  readonly value: Uint8Array | string
  readonly checkpoint: unknown
}

/** Writes of the checkpoint and its ancestors with results in them. */
const candidates = `SELECT rowid AS place, value FROM writes
  WHERE thread_id = ?1 AND checkpoint_ns = ?2 AND channel = ?3 AND type = 'json'
    AND checkpoint_id IN (SELECT a.value FROM json_each(?4) a) AND instr(CAST(value AS TEXT), 'tool_call_id') > 0
  ORDER BY checkpoint_id DESC, task_id, idx`

const written = `SELECT w.value, c.checkpoint
  FROM writes w JOIN checkpoints c USING (thread_id, checkpoint_ns, checkpoint_id)
  WHERE w.rowid = ? AND c.type = 'json'`

/** The messages of a write; nothing if it cannot be read. */
export function writtenIn(value: Uint8Array | string): readonly unknown[] {
  try {
    return [parseExactly(typeof value === 'string' ? value : Buffer.from(value).toString())].flat()
  } catch {
    return []
  }
}

/** The id of the call that a message answers; undefined if it is no result. */
export function resultId(message: unknown): unknown {
  const isResult = isRecord(message) && Array.isArray(message.id) && message.id.at(-1) === 'ToolMessage'
  return isResult ? kwargsOf(message)?.tool_call_id : undefined
}

/** Whether the last calls in the checkpoint, whose step gave the result, are those of this message. */
function isGivenFor(checkpoint: unknown, calling: unknown, channel: string): boolean {
  try {
    const last = kwargsOf(readCheckpoint(checkpoint, '', channel)?.messages.findLast(isCalling))
    const kwargs = kwargsOf(calling)
    if (!last || !kwargs) return false
    return last.id !== undefined && kwargs.id !== undefined ? last.id === kwargs.id : equal(last, kwargs)
  } catch {
    return false
  }
}

function isCalling(message: unknown): boolean {
  const calls = kwargsOf(message)?.tool_calls
  return Array.isArray(calls) && calls.length > 0
}
