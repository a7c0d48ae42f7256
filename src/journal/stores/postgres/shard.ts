import { tombstoneName } from '../../erasure/tombstone.ts'
import type { PostgresConnection } from './connect.ts'
import { type Relocation, relocationIn, relocationText } from './relocation.ts'
import { integer, type PostgresRow } from './rows.ts'
import * as sql from './shard-statements.ts'
import { addTombstone, dropName, findName } from './statements.ts'
import { fromColumn, toInternalKey, toKey } from './text-column.ts'

/** What each shard stores about the list of shards. */
export interface ShardMark {
  /** Its place in the list; the first is 1. */
  readonly number: number
  /** The number of shards among which threads are divided; while threads move, `growing` is the number to come, otherwise 0. */
  readonly settled: number
  readonly growing: number
}

/** The row of a thread, which may be moving. */
export interface ScannedThread {
  readonly row: PostgresRow
  readonly thread: number
  readonly name: string
  readonly now: number
  readonly relocation: Relocation | undefined
}

type Query = PostgresConnection['query']

/** The operations on one database that move threads between it and others. Each is one transaction, or can be repeated. */
export class PostgresShard {
  readonly #run: <T>(work: (query: Query) => Promise<T>) => Promise<T>

  constructor(run: <T>(work: (query: Query) => Promise<T>) => Promise<T>) {
    this.#run = run
  }

  async mark(): Promise<ShardMark | undefined> {
    const [row] = await this.#query(findName, [markKey])
    return row && markOf(integer(row.thread))
  }

  /** Stores the mark, unless the shard has one, and returns the one that it has. */
  async markFirst(mark: ShardMark): Promise<ShardMark> {
    await this.#query(addTombstone, [markKey, numberOf(mark)])
    return (await this.mark()) ?? mark
  }

  /** Compare-and-swap. Returns false if the shard has another mark. */
  async changeMark(before: ShardMark, after: ShardMark): Promise<boolean> {
    return (await this.#query(sql.growMark, [markKey, numberOf(after), numberOf(before)])).length > 0
  }

  async scan(after: number, limit: number): Promise<ScannedThread[]> {
    return (await this.#query(sql.scan, [after, limit])).map(scanned)
  }

  async scanOne(thread: number): Promise<ScannedThread | undefined> {
    const [row] = await this.#query(sql.scanOne, [thread])
    return row && scanned(row)
  }

  /** Threads whose move has begun and is not complete. None without a list that grows: then the mark is all that is read. */
  async unfinishedMoves(limit: number): Promise<ScannedThread[]> {
    const mark = await this.mark()
    return mark && mark.growing > mark.settled ? (await this.#query(sql.unfinished, [limit])).map(scanned) : []
  }

  /** Fences a thread, if it is still as it was scanned. Returns its new epoch. */
  async beginMove({ row, thread }: ScannedThread, relocation: Relocation): Promise<number | undefined> {
    const values = [thread, row.state, row.head, row.epoch, row.due_at, relocationText(relocation)]
    const [fenced] = await this.#query(sql.beginMove, values)
    if (fenced) return integer(fenced.epoch)
    const known = await this.#foundAt(thread, relocation)
    return known && integer(known.row.epoch)
  }

  async renewMove(thread: number, relocation: Relocation): Promise<void> {
    await this.#query(sql.renewMove, [thread, relocationText(relocation)])
  }

  /** Ends a move: from now on the thread is used in this shard. Returns false if the row belongs to another attempt. */
  async endMove(thread: number, relocation: Relocation): Promise<boolean> {
    if (relocation.phase === 'moved') return false
    const values = [thread, relocationText(relocation), relocation.state, relocation.dueAt]
    return (await this.#query(sql.endMove, values)).length > 0
  }

  async commitMove(thread: number, before: Relocation, after: Relocation): Promise<boolean> {
    const committed = await this.#query(sql.commitMove, [thread, relocationText(before), relocationText(after)])
    return committed.length > 0 || (await this.#foundAt(thread, after)) !== undefined
  }

  /** Creates the copy, without its content, and its name. Returns false if another thread has the name. */
  async beginCopy(found: ScannedThread, thread: number, epoch: number, relocation: Relocation): Promise<boolean> {
    if (!(await this.#claimName(found.name, thread))) return false
    const text = relocationText(relocation)
    const { name, uid, head, open_calls, created_at, updated_at } = found.row
    const added = [thread, name, uid, head, epoch, text, open_calls, created_at, updated_at]
    const reset = [thread, head, epoch, text, open_calls, updated_at]
    const isNew = (await this.#query(sql.addArriving, added)).length > 0
    if (!isNew && (await this.#query(sql.resetArriving, reset)).length === 0) return false
    // An abandoned attempt may have removed the name meanwhile. From now on it cannot.
    if (await this.#claimName(found.name, thread)) return true
    await this.dropArrived({ thread, name: found.name }, relocation)
    return false
  }

  /** Returns false if another thread has the name. */
  async #claimName(name: string, thread: number): Promise<boolean> {
    await this.#query(addTombstone, [toKey(name), thread])
    const [named] = await this.#query(findName, [toKey(name)])
    return named !== undefined && integer(named.thread) === thread
  }

  /** The content of a thread, page by page: rows, and the statement that inserts them. */
  async *contents(thread: number): AsyncGenerator<{ readonly insert: string; readonly rows: readonly PostgresRow[] }> {
    for (let after = -1; ; ) {
      const sizes = await this.#query(sql.entrySizes, [thread, after, 500])
      let bytes = 0
      const fits = sizes.filter((size, index) => {
        bytes += integer(size.bytes)
        return index === 0 || bytes <= pageBytes
      })
      const last = fits.at(-1)
      if (!last) break
      const rows = await this.#query(sql.readEntries, [thread, after, last.seq])
      yield { insert: sql.copyEntries, rows }
      after = integer(last.seq)
    }
    for (const [read, insert] of [
      [sql.readInputs, sql.copyInputs],
      [sql.readCalls, sql.copyCalls],
    ] as const) {
      const rows = await this.#query(read, [thread])
      for (let at = 0; at < rows.length; at += 1_000) yield { insert, rows: rows.slice(at, at + 1_000) }
    }
  }

  /** Returns false if another attempt to move the thread has begun. */
  async copy(insert: string, rows: readonly PostgresRow[], thread: number, relocation: Relocation): Promise<boolean> {
    const values = [thread, relocationText(relocation), JSON.stringify(rows)]
    return (await this.#query(insert, values)).length > 0
  }

  /** A digest of the content of a thread. Equal content has equal digests. */
  async digest(thread: number): Promise<string> {
    const digests = [sql.entriesDigest, sql.inputsDigest, sql.callsDigest].map(text => this.#query(text, [thread]))
    return (await Promise.all(digests)).map(([row]) => `${row?.rows} ${row?.digest}`).join(', ')
  }

  /** Removes the copy of an abandoned move. */
  async dropArrived({ thread, name }: Pick<ScannedThread, 'thread' | 'name'>, relocation: Relocation): Promise<void> {
    await this.#query(sql.dropArrived, [thread, relocationText(relocation), toKey(name)])
  }

  /** Removes the content of a thread that has moved. */
  async removeMoved(thread: number, relocation: Relocation): Promise<void> {
    await this.#query(sql.removeMoved, [thread, relocationText(relocation)])
  }

  /** Also true if it is gone already: the answer may have been lost. */
  async dropEmpty({ thread, name }: ScannedThread, relocation: Relocation): Promise<boolean> {
    const dropped = await this.#query(sql.dropEmpty, [thread, relocationText(relocation), toKey(name)])
    return dropped.length > 0 || (await this.scanOne(thread)) === undefined
  }

  /** Removes what this shard still has of a thread that is erased in another one: the name in its forwarding address, or an abandoned copy. */
  async removeRemains(thread: number, name: string): Promise<void> {
    const left = await this.scanOne(thread)
    if (left?.relocation?.phase === 'arriving') return this.dropArrived({ thread, name }, left.relocation)
    if (left?.relocation?.phase !== 'moved' || left.name !== name) return
    await this.#query(addTombstone, [toInternalKey(tombstoneName(name)), thread])
    await this.#query(dropName, [toKey(name), thread])
    await this.#query(sql.forgetName, [thread, relocationText(left.relocation), tombstoneName(name)])
  }

  /** Adds the tombstone of an erased thread, so that its name is not used again in this shard. */
  async addErased({ row, name }: ScannedThread, thread: number): Promise<void> {
    await this.#query(addTombstone, [toInternalKey(name), thread])
    await this.#query(sql.addErased, [thread, row.name, row.uid, row.epoch, row.created_at, row.updated_at])
  }

  async forwardErased(thread: number, shard: number): Promise<void> {
    await this.#query(sql.forwardErased, [thread, relocationText({ phase: 'moved', shard })])
  }

  /** The thread, if it has this relocation: the same statement was done before, and its answer was lost. */
  async #foundAt(thread: number, relocation: Relocation): Promise<ScannedThread | undefined> {
    const found = await this.scanOne(thread)
    return found?.relocation && relocationText(found.relocation) === relocationText(relocation) ? found : undefined
  }

  #query(text: string, values: readonly unknown[]): Promise<readonly PostgresRow[]> {
    return this.#run(query => query(text, values))
  }
}

function scanned(row: PostgresRow): ScannedThread {
  const [thread, name, now] = [integer(row.thread), fromColumn(String(row.name)), integer(row.now)]
  return { row, thread, name, now, relocation: relocationIn(row) }
}

/** A list has at most 1,023 shards. */
const numberOf = ({ number, settled, growing }: ShardMark): number => (number * 1_024 + growing) * 1_024 + settled

const markOf = (value: number): ShardMark => ({
  number: Math.floor(value / 1_048_576),
  growing: Math.floor(value / 1_024) % 1_024,
  settled: value % 1_024,
})

/** No thread has this key. Names of erased threads are internal too, but begin differently. */
const markKey = toInternalKey('shards')

const pageBytes = 8 * 1024 * 1024

/** Whether this is the name of an erased thread, and the hash of its old name. */
export const erasedHash = (name: string): string | undefined =>
  name.startsWith(erasedPrefix) && name.length === erasedPrefix.length + 64
    ? name.slice(erasedPrefix.length)
    : undefined

const erasedPrefix = tombstoneName('').slice(0, -64)
