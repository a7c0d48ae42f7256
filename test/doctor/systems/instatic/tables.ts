import { DatabaseSync } from 'node:sqlite'
import type { Store } from './generate.ts'
import type { Row } from './rows.ts'

/**
 * The tables in SQLite, without those that have nothing to do with chats. `without` leaves out what later migrations
 * added.
 */
export const sqliteTables = (without?: 'caching'): string => `
  create table users (id text primary key, email text not null);
  create table ai_provider_credentials (
    id text primary key,
    user_id text not null references users(id) on delete cascade,
    provider_id text not null,
    auth_mode text not null,
    display_label text not null
  );
  create table ai_conversations (
    id text primary key,
    user_id text not null references users(id) on delete cascade,
    scope text not null,
    title text not null,
    credential_id text references ai_provider_credentials(id) on delete set null,
    model_id text not null,
    prompt_tokens_total integer not null default 0,
    completion_tokens_total integer not null default 0,
    cost_usd_total real not null default 0,
    created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
    updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
    deleted_at text,
    constraint ai_conv_scope_check check (scope in ('site','content','data','plugin'))
  );
  create table ai_messages (
    id text primary key,
    conversation_id text not null references ai_conversations(id) on delete cascade,
    position integer not null,
    role text not null,
    content_json text not null,
    tool_call_id text,
    tool_name text,
    prompt_tokens integer not null default 0,
    completion_tokens integer not null default 0,
    cost_usd real not null default 0,
    created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
    ${without === 'caching' ? '' : 'cache_read_tokens integer not null default 0,'}
    constraint ai_msg_role_check check (role in ('user','assistant','tool'))
  );
  create unique index ai_msg_conv_position_idx on ai_messages (conversation_id, position);
`

/** The same in PostgreSQL, where only times and costs are of other types. */
export const postgresTables = (): string =>
  sqliteTables()
    .replaceAll(/text not null default \(strftime[^)]*\)\)?/g, 'timestamptz not null default now()')
    .replaceAll('deleted_at text', 'deleted_at timestamptz')
    .replaceAll(/real (not null default 0)/g, 'numeric(10, 6) $1')

/** The statements that fill the tables. Values go in by number, so that both databases take them. */
export function* statements({ chats }: Store): Generator<[text: string, values: (string | number | null)[]]> {
  yield ['insert into users (id, email) values ($1, $2)', ['usr_admin', 'admin@example.test']]
  const providers = new Set(chats.map(({ provider }) => provider))
  for (const provider of providers)
    yield [
      'insert into ai_provider_credentials (id, user_id, provider_id, auth_mode, display_label) values ($1, $2, $3, $4, $5)',
      [`cred_${provider}`, 'usr_admin', provider, 'apiKey', provider],
    ]
  for (const { id, title, provider, rows } of chats) {
    const time = rows.at(-1)?.created_at ?? '2026-06-01T09:00:00.000Z'
    yield [
      'insert into ai_conversations (id, user_id, scope, title, credential_id, model_id, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8)',
      [id, 'usr_admin', 'site', title, `cred_${provider}`, 'a-model', '2026-06-01T09:00:00.000Z', time],
    ]
    for (const row of rows) {
      const names = Object.keys(row)
      const places = names.map((_, index) => `$${index + 1}`)
      yield [`insert into ai_messages (${names.join(', ')}) values (${places.join(', ')})`, Object.values(row)]
    }
  }
}

/** Makes a database file, closed and complete. */
export function writeSqlite(path: string, store: Store, tables = sqliteTables()): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(`pragma synchronous = off; pragma journal_mode = wal; ${tables}; begin`)
    for (const [text, values] of statements(store)) {
      database.prepare(text.replaceAll(/\$\d+/g, '?')).run(...values)
    }
    database.exec('commit')
  } finally {
    database.close()
  }
}

/** Runs statements on a file, as another program would. */
export function runSql(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(sql)
  } finally {
    database.close()
  }
}

/** Everything in all tables, in the order of their keys. */
export function dumpSqlite(path: string): Record<string, unknown[]> {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table' order by name").all()
    return Object.fromEntries(
      tables.map(({ name }) => {
        const order = name === 'ai_messages' ? 'conversation_id, position' : '1'
        return [String(name), database.prepare(`select * from ${name} order by ${order}`).all()]
      }),
    )
  } finally {
    database.close()
  }
}

/** The rows of each chat by position, for its next request. */
export function chatsIn(dump: Record<string, unknown[]>): Map<string, Row[]> {
  const chats = new Map<string, Row[]>()
  for (const row of dump.ai_messages as Row[]) {
    const rows = chats.get(row.conversation_id) ?? []
    chats.set(row.conversation_id, [...rows, row])
  }
  return chats
}
