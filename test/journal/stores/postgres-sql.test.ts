import { describe, expect, test } from 'vitest'
import { newSchema } from '../../../src/journal/stores/postgres/migrate.ts'
import { preparePostgresWrite } from '../../../src/journal/stores/postgres/prepare-write.ts'
import * as schema from '../../../src/journal/stores/postgres/schema.ts'
import * as moves from '../../../src/journal/stores/postgres/shard-statements.ts'
import * as statements from '../../../src/journal/stores/postgres/statements.ts'
import type { Write } from '../../../src/journal/stores/store.ts'
import { files, strings } from '../../repository.ts'
import { admit, respond, settle, start, submit } from '../sample-entries.ts'
import { faultsOf } from './postgres-sql-faults.ts'

const { write, refusalFacts: facts, due, list, listNewest, ...fixed } = statements
const { scan, unfinished, ...moving } = moves
const tables = [schema.versions, newSchema('a'), ...schema.postgresMigrations.flat()]

describe('every statement runs where threads are spread over servers', () => {
  test.each([...Object.entries(fixed), ...tables.map((text, index) => [`table ${index}`, text])])(
    '[WP17] %s',
    (_, text) => {
      expect(faultsOf(text)).toEqual([])
    },
  )

  test.each(Object.entries(moving))('[WP17] %s, of a move between shards', (_, text) => {
    // JSON is only on its way here, and a row that is dropped takes its name with it.
    const expected = [
      'has a type that changes the bytes of JSON',
      ...(text.includes('named AS (') ? ['does not say first which name of antiphon_name it is about'] : []),
    ]
    expect(faultsOf(text).filter(fault => !expected.includes(fault))).toEqual([])
  })

  test.each(Object.entries({ due, list, listNewest, scan, unfinished }))(
    '[WP17] %s, which spans threads',
    (_, text) => {
      expect(faultsOf(text, true)).toEqual([])
      expect(faultsOf(text)).not.toEqual([])
    },
  )

  test('[WP17] every write there can be, and the question why it was refused', () => {
    const shapes = [...allWrites()]
    const texts = new Set(shapes.flatMap(plan => [write(plan, plan.head).text, facts(plan).text]))
    expect(texts.size).toBeGreaterThan(2_000)
    expect([...texts].flatMap(text => faultsOf(text).map(fault => `${fault}: ${text}`))).toEqual([])
  })

  test('[WP17] a statement has as many values as it asks for, each of them', () => {
    for (const plan of allWrites())
      for (const { text, values } of [write(plan, plan.head), facts(plan)]) {
        const asked = new Set(text.match(/\$\d+/g))
        expect(asked).toEqual(new Set(values.map((_, index) => `$${index + 1}`)))
      }
  })

  test('[WP17] there is no SQL anywhere else', () => {
    const homes = ['statements.ts', 'shard-statements.ts', 'schema.ts', 'migrate.ts'].map(
      name => `src/journal/stores/postgres/${name}`,
    )
    const others = files('src/journal/stores/postgres/**/*.ts').filter(file => !homes.includes(file))
    const looksLikeSql =
      /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|LOCK|LISTEN|NOTIFY|BEGIN|COMMIT|antiphon_\w+)\b/
    expect(others.length).toBeGreaterThan(3)
    expect(others.flatMap(file => strings(file).filter(text => looksLikeSql.test(text) && !isProse(text)))).toEqual([])
    expect(homes.flatMap(file => strings(file).filter(text => looksLikeSql.test(text))).length).toBeGreaterThan(20)
  })
})

/** Hints name tables, and prepared statements have names like theirs. */
const isProse = (text: string): boolean => /antiphon_name( |:)|^antiphon_$/.test(text)

const good = 'SELECT head FROM antiphon_thread WHERE thread = $1::bigint'

test.each([
  ['takes an advisory lock', 'SELECT pg_advisory_xact_lock($1)'],
  ['takes an advisory lock', `WITH a AS (SELECT pg_try_advisory_lock(1)) ${good}`],
  ['listens or notifies', 'LISTEN antiphon'],
  ['listens or notifies', "SELECT pg_notify('antiphon', '')"],
  ['skips what is locked', `${good} FOR UPDATE SKIP LOCKED`],
  ['locks by itself', `${good} FOR UPDATE`],
  ['locks by itself', 'LOCK TABLE antiphon_thread'],
  ['makes a table that does not last', 'CREATE TEMP TABLE IF NOT EXISTS antiphon_x (thread bigint PRIMARY KEY)'],
  ['needs code in the server', 'CREATE FUNCTION f() RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql'],
  ['needs code in the server', 'CREATE TRIGGER t AFTER INSERT ON antiphon_entry EXECUTE FUNCTION f()'],
  ['needs code in the server', 'DO $$ BEGIN END $$'],
  ['needs a session', 'BEGIN'],
  ['needs a session', 'SET search_path = a'],
  ['needs a session', 'PREPARE a AS SELECT 1'],
  [
    'counts across servers',
    'CREATE TABLE IF NOT EXISTS antiphon_x (thread bigint, seq bigserial, PRIMARY KEY (thread, seq))',
  ],
  ['counts across servers', "INSERT INTO antiphon_entry (thread, seq) VALUES ($1, nextval('s'))"],
  [
    'counts across servers',
    'CREATE TABLE IF NOT EXISTS antiphon_x (thread bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY)',
  ],
  ['calls a volatile function', 'UPDATE antiphon_thread SET updated_at = clock_timestamp() WHERE thread = $1'],
  ['looks at where a row is stored', 'DELETE FROM antiphon_input WHERE thread = $1 AND ctid = $2'],
  [
    'has a type that changes the bytes of JSON',
    'CREATE TABLE IF NOT EXISTS antiphon_x (thread bigint PRIMARY KEY, data jsonb)',
  ],
  ['changes a row where it meant to make one', 'INSERT INTO antiphon_name (name) VALUES ($1) ON CONFLICT DO UPDATE'],
  ['is not a plain change of rows', 'TRUNCATE antiphon_entry'],
  ['asks more than a shard may be asked', `SELECT 1 FROM turned, LATERAL (${good}) AS t`],
  ['changes antiphon_open_call more than once', callsTwice()],
  ['changes antiphon_thread more than once', threadTwice()],
  ['does not say first which thread of antiphon_thread it is about', 'SELECT head FROM antiphon_thread'],
  [
    'does not say first which thread of antiphon_thread it is about',
    'SELECT head FROM antiphon_thread WHERE state = $1',
  ],
  ['does not say first which thread of antiphon_thread it is about', `${good} OR state = $2`],
  [
    'does not say first which thread of antiphon_entry it is about',
    'DELETE FROM antiphon_entry WHERE seq = $1 AND thread = $2',
  ],
  [
    'does not say first which thread of antiphon_thread it is about',
    'UPDATE antiphon_thread SET owner = NULL WHERE epoch = $1',
  ],
  [
    'does not say first which thread of antiphon_input it is about',
    `${good} AND NOT EXISTS (SELECT 1 FROM antiphon_input WHERE key = $2)`,
  ],
  ['does not say first which name of antiphon_name it is about', 'SELECT thread FROM antiphon_name WHERE thread = $1'],
  [
    'does not join antiphon_entry by the thread',
    'SELECT 1 FROM antiphon_thread AS t JOIN antiphon_entry AS e ON e.seq = t.head WHERE t.thread = $1',
  ],
  [
    'looks at several tables without a join',
    'SELECT 1 FROM antiphon_thread AS t, antiphon_entry AS e WHERE t.thread = $1',
  ],
  [
    'does not say first which thread antiphon_entry gets a row for',
    'INSERT INTO antiphon_entry (seq, thread) VALUES ($1, $2)',
  ],
  [
    'does not say first which thread antiphon_input gets a row for',
    'INSERT INTO antiphon_input (thread, key) SELECT thread, $2 FROM antiphon_thread WHERE state = $1',
  ],
  [
    'has something unique beside the key',
    'CREATE TABLE IF NOT EXISTS antiphon_x (thread bigint PRIMARY KEY, name text UNIQUE)',
  ],
  ['has a key that does not begin with the thread', 'CREATE TABLE IF NOT EXISTS antiphon_x (name text PRIMARY KEY)'],
  ['cannot be run twice', 'CREATE TABLE antiphon_x (thread bigint PRIMARY KEY)'],
  [
    'ties tables together',
    'CREATE TABLE IF NOT EXISTS antiphon_x (thread bigint PRIMARY KEY REFERENCES antiphon_thread)',
  ],
])('[WP17] refused, because it %s: %s', (fault, text) => {
  expect(faultsOf(text)).toContain(fault)
})

function callsTwice(): string {
  const calls = 'antiphon_open_call WHERE thread = $1 AND idx'
  return `WITH a AS (DELETE FROM ${calls} = $2), b AS (DELETE FROM ${calls} = $3) SELECT 1`
}

function threadTwice(): string {
  return `WITH a AS (${'UPDATE antiphon_thread SET head = 1 WHERE thread = $1'}) UPDATE antiphon_thread SET head = 2 WHERE thread = $1`
}

/** Every set of options with every sort of entries. */
function* allWrites() {
  const entries: Write['entries'][] = [
    ...[[], [submit()], [submit(), submit(), submit()], [admit(1), respond()], [submit(), admit(1), respond(3, 0)]],
    ...[[start(1)], [start(1), start(1, 1)], [settle(1)], [settle(1), settle(1, 1), respond()]],
  ]
  const lease = { owner: 'a', ms: 1 }
  const input = { key: 'k', digest: 'd' }
  const options: Partial<Write>[] = [
    ...[{ head: 1 }, { epoch: 1 }, { lease }, { input }],
    ...([{ release: true }, { onlyIf: 'idle' }, { state: 'idle' }] as const),
  ]
  const rows: Partial<Write>[][] = [
    ...options.map(option => [{}, option]),
    [{}, { dueAt: 'now' }, { dueAt: null }, { dueAt: 5 }],
  ]
  for (const some of entries)
    for (const chosen of choices(rows)) yield preparePostgresWrite({ thread: 1, entries: some, ...chosen })
}

/** One of each row, in every way. */
function choices<T extends object>(rows: readonly T[][]): T[] {
  return rows.reduce<T[]>((all, row) => all.flatMap(chosen => row.map(one => ({ ...chosen, ...one }))), [{} as T])
}
