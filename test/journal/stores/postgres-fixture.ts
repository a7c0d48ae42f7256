import { expect } from 'vitest'
import { openPostgres, type PostgresOptions, type PostgresStore } from '../../../src/journal/stores/postgres/store.ts'
import type { Opened } from './contract.ts'
import type { Server } from './postgres-server.ts'

export type Where = Parameters<typeof openPostgres>[0]

/** A journal of its own, in a schema that nobody has used. */
export interface Journal extends Opened {
  readonly store: PostgresStore
  readonly schema: string
  reopen(where?: Where, options?: PostgresOptions): Promise<PostgresStore>
  /** A statement, with the journal's tables in reach. */
  sql(text: string): Promise<Record<string, unknown>[]>
}

export async function openJournal(server: Server, where: Where = server.url()): Promise<Journal> {
  const schema = newSchema()
  const stores: PostgresStore[] = []
  const reopen = async (way = where, options: PostgresOptions = {}) => {
    const store = await openPostgres(way, { schema, ...options })
    stores.push(store)
    return store
  }
  return {
    schema,
    store: await reopen(),
    reopen,
    sql: text => server.sql(text.replaceAll('antiphon_', () => `"${schema.replaceAll('"', '""')}".antiphon_`)),
    close: async () => {
      for (const store of stores) await store.close()
    },
  }
}

/** With letters that must be quoted. */
export const newSchema = (): string => `Journal "${process.pid}-${schemas++}" $&`

let schemas = 0

/** What the tables say more than once they say alike. Entry 0 is metadata, and an erased thread has none. */
export async function expectSound({ sql }: Journal): Promise<void> {
  const rows = await sql(`SELECT thread, head::int, open_calls::int,
    (SELECT count(*)::int FROM antiphon_entry e WHERE e.thread = t.thread AND (e.seq <> 0 OR t.state = 'erased')) AS entries,
    (SELECT coalesce(max(seq), 0)::int FROM antiphon_entry e WHERE e.thread = t.thread) AS last,
    (SELECT count(*)::int FROM antiphon_open_call c WHERE c.thread = t.thread) AS calls,
    (SELECT count(*)::int FROM antiphon_input i WHERE i.thread = t.thread AND i.seq > t.head) AS strays
    FROM antiphon_thread t`)
  for (const { head, open_calls, ...row } of rows)
    expect(row).toEqual({ thread: row.thread, entries: head, last: head, calls: open_calls, strays: 0 })
}
