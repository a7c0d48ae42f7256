import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { loadJournal } from './antiphon.ts'
import type { Changes } from './changes.ts'

/**
 * The floor under the journal: the same changes of the same tables by plain statements, without a guard, a look-up or a
 * promise. As durable as the journal is: a write-ahead log with synchronous FULL, or NORMAL for `process`.
 */
export class BareSqlite {
  readonly #database: DatabaseSync
  readonly #statements: Record<keyof typeof sql, StatementSync>

  static async open(file: string, durability: 'full' | 'process' = 'full'): Promise<BareSqlite> {
    const { openJournal } = await loadJournal()
    await (await openJournal(`sqlite:${file}`)).close()
    return new BareSqlite(file, durability)
  }

  private constructor(file: string, durability: 'full' | 'process') {
    this.#database = new DatabaseSync(file)
    this.#database.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`)
    const prepared = Object.entries(sql).map(([name, text]) => [name, this.#database.prepare(text)])
    this.#statements = Object.fromEntries(prepared)
  }

  addThreads(names: readonly string[]): number[] {
    return this.#inTransaction(() =>
      names.map(name => Number(this.#statements.addThread.run(name, '0'.repeat(16), 0, 0).lastInsertRowid)),
    )
  }

  /** One transition, in a transaction of its own. */
  write(thread: number, changes: Changes): void {
    this.#inTransaction(() => this.#change(thread, changes))
  }

  /** One transition of each thread, in one transaction. */
  writeAll(threads: readonly number[], changes: Changes): void {
    this.#inTransaction(() => {
      for (const thread of threads) this.#change(thread, changes)
    })
  }

  close(): void {
    this.#database.close()
  }

  #inTransaction<T>(work: () => T): T {
    this.#statements.begin.run()
    const outcome = work()
    this.#statements.commit.run()
    return outcome
  }

  #change(thread: number, { head, epoch, standing, entries, opens, starts, settles, input }: Changes): void {
    const { move, moveAll, addEntry, open, start, settle, addInput } = this.#statements
    const now = Date.now()
    if (standing) {
      const { state, owner, leasedUntil, dueAt } = standing
      moveAll.run(head, epoch, now, state, owner, leasedUntil, dueAt, thread)
    } else move.run(head, epoch, now, thread)
    for (const { seq, kind, data } of entries) addEntry.run(thread, seq, epoch, now, kind, JSON.stringify(data))
    for (const { step, index } of opens) open.run(thread, step, index)
    for (const { step, index } of starts) start.run(thread, step, index)
    for (const { step, index } of settles) settle.run(thread, step, index)
    if (input) addInput.run(thread, input.key, input.digest, head)
  }
}

const sql = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  addThread: `INSERT INTO antiphon_thread (name, uid, head, epoch, leased_until, state, created_at, updated_at)
    VALUES (?, ?, 0, 0, 0, 'idle', ?, ?)`,
  move: 'UPDATE antiphon_thread SET head = ?, epoch = ?, updated_at = ? WHERE thread = ?',
  moveAll: `UPDATE antiphon_thread
    SET head = ?, epoch = ?, updated_at = ?, state = ?, owner = ?, leased_until = ?, due_at = ? WHERE thread = ?`,
  addEntry: `INSERT INTO antiphon_entry (thread, seq, epoch, at, version, kind, data) VALUES (?, ?, ?, ?, 1, ?, ?)`,
  open: 'INSERT INTO antiphon_open_call (thread, step, idx, started) VALUES (?, ?, ?, 0)',
  start: 'UPDATE antiphon_open_call SET started = 1 WHERE thread = ? AND step = ? AND idx = ?',
  settle: 'DELETE FROM antiphon_open_call WHERE thread = ? AND step = ? AND idx = ?',
  addInput: 'INSERT INTO antiphon_input (thread, key, digest, seq) VALUES (?, ?, ?, ?)',
}
