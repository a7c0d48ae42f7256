import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { System } from '../../../src/doctor/system.ts'
import { Random } from '../../laws/random.ts'
import type { Subject } from '../contract.ts'
import { type ChatMessage, corruptChat, generateChat, refusalsBy, wordsIn } from './chat.ts'
import { filesIn } from './samples.ts'

/** A row of the table of messages, with a time in seconds. */
export interface ChatRow {
  readonly message: ChatMessage
  readonly time: number
}

export interface RowStore {
  readonly system: System
  readonly file: string
  /** A dump from which the schema is taken. */
  readonly dump: string
  insert(database: DatabaseSync, session: string, rows: readonly ChatRow[]): void
  sessions(database: DatabaseSync): readonly string[]
  /** What the program reads of a session. */
  read(database: DatabaseSync, session: string): ChatMessage[]
  /** What else must hold. */
  bookkeeping?(database: DatabaseSync): readonly string[]
}

export interface RowSubject extends Subject {
  /** All sessions of a store, one after the other. */
  read(path: string): ChatMessage[]
  raw(path: string): string
  load(folder: string): void
  bookkeeping(path: string): readonly string[]
  store(folder: string, ...sessions: readonly (readonly ChatRow[])[]): string
}

/** A system that keeps its messages in a table, ordered by time. */
export function rowSubject({
  system,
  file,
  dump,
  insert,
  sessions,
  read,
  bookkeeping = () => [],
}: RowStore): RowSubject {
  const schema = readFileSync(dump, 'utf8')
    .split(/;\n/)
    .filter(statement => !/^\s*INSERT INTO (sessions|messages)\b/.test(statement))
    .join(';\n')
  const within = <T>(path: string, work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(path.endsWith('.db') ? path : join(path, file))
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  const store = (folder: string, ...chats: readonly (readonly ChatRow[])[]): string => {
    const path = join(folder, file)
    within(path, database => {
      database.exec(schema)
      for (const [index, rows] of chats.entries()) insert(database, `session-${index + 1}`, rows)
    })
    return path
  }
  const written = (
    seed: number,
    folder: string,
    change: (seed: number, chat: ChatMessage[]) => ChatMessage[],
  ): string => {
    const random = new Random(seed ^ 0x5e)
    const chats = Array.from({ length: random.range(1, 3) }, (_, index) => seed + index * 7_919)
    // One session is broken, so that a repair is one transaction.
    const broken = random.int(chats.length)
    const changed = chats.map((one, index) => (index === broken ? change(one, generateChat(one)) : generateChat(one)))
    const path = store(folder, ...changed.map(chat => rowsOf(random, chat)))
    if (random.chance(0.3)) within(path, database => database.exec('pragma journal_mode = wal'))
    return path
  }
  const all = (path: string): ChatMessage[][] =>
    within(path, database => sessions(database).map(session => read(database, session)))
  return {
    system,
    tag: 'DD',
    healthy: (seed, folder) => written(seed, folder, (_, chat) => chat),
    corrupted: (seed, folder) => written(seed, folder, corruptChat),
    refusals: path => [...all(path).flatMap(chat => refusalsBy(() => chat)), ...within(path, bookkeeping)],
    words: path => wordsIn(JSON.stringify(all(path))),
    read: path => all(path).flat(),
    raw: path => JSON.stringify(within(path, database => sessions(database))),
    load(folder) {
      for (const sql of filesIn(folder, '.sql')) {
        within(folder, database => database.exec(readFileSync(sql, 'utf8')))
        rmSync(sql)
      }
    },
    bookkeeping: path => within(path, bookkeeping),
    store,
  }
}

/** The times of rows: some in the same second, none going back. Results may share a row. */
export function rowsOf(random: Random, chat: readonly ChatMessage[]): ChatRow[] {
  let time = 1_786_529_700
  const rows: ChatRow[] = []
  for (const message of chat) {
    const last = rows.at(-1)
    if (last && last.message.role === 'tool' && message.role === 'tool' && random.chance(0.4)) {
      const results = [...last.message.results, ...message.results]
      rows[rows.length - 1] = { ...last, message: { ...message, results } }
      continue
    }
    time += random.int(3)
    rows.push({ message, time })
  }
  return rows
}
