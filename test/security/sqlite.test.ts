import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lookAtJournal } from '../../src/doctor/files/look-at-journal.ts'
import { openJournal } from '../../src/journal/index.ts'
import { lines } from '../apps/cli/program.ts'
import { bytesOf, inFolder, type Subject } from '../doctor/contract.ts'
import { subject as instatic } from '../doctor/systems/instatic/subject.ts'
import { subject as langgraph } from '../doctor/systems/langgraph/subject.ts'
import { subject as agents } from '../doctor/systems/openai-agents-sqlite/subject.ts'
import { inDatabase as opencode } from '../doctor/systems/opencode/subject.ts'
import { programFile } from '../programs.ts'
import {
  change,
  computedColumn,
  endlessRows,
  endlessSchema,
  endlessSchemaInLog,
  endlessStatistics,
  endlessView,
} from './sqlite-files.ts'

/** The databases of other programs, and the tables and one column that are read of each. */
const databases: [string, Subject, string[], string][] = [
  ['opencode', opencode, ['session', 'message', 'part'], 'data'],
  ['instatic', instatic, ['ai_conversations', 'ai_messages'], 'content_json'],
  ['langgraph', langgraph, ['checkpoints', 'writes'], 'metadata'],
  ['openai-agents-sqlite', agents, ['agent_messages'], 'message_data'],
]

/** Runs the program; one that does not end by itself is ended, and has no code. */
function run(args: readonly string[], folder: string): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [programFile('antiphon'), ...args], {
    timeout: 40_000,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    env: { ...process.env, XDG_STATE_HOME: join(folder, '..', 'state') },
  })
  return { code: status, stdout, stderr }
}

/** A broken store, and whatever is done to it: the doctor and the viewer end with one line each. */
const refused = (subject: Subject, spoil: (path: string) => void, words: RegExp): Promise<void> =>
  inFolder(async folder => {
    const path = await brokenStore(subject, folder)
    spoil(path)
    const before = bytesOf(folder)
    for (const args of [
      ['doctor', path],
      ['doctor', '--fix', path],
      ['view', path, '--system', subject.system.id, '--export', join(folder, '..', 'page.html')],
    ]) {
      const { code, stderr } = run(args, folder)
      expect({ args, code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(words) })
      expect(lines(stderr)).toHaveLength(1)
    }
    expect(bytesOf(folder)).toEqual(before)
  })

async function brokenStore(subject: Subject, folder: string): Promise<string> {
  for (let seed = 20261116; ; seed++) {
    const place = join(folder, String(seed))
    mkdirSync(place)
    const path = await subject.corrupted(seed, place)
    if ((await subject.refusals(path)).length === 0) continue
    cpSync(path, join(folder, basename(path)))
    return join(folder, basename(path))
  }
}

describe('a database that somebody else made', () => {
  test.each(databases.flatMap(([id, subject, tables]) => tables.map(table => [id, table, subject] as const)))(
    '[SE23] %s: a view that never ends in the place of %s is one line',
    (_, table, subject) =>
      refused(
        subject,
        path => endlessView(path, table),
        new RegExp(`${table} is a view and not a table|it has no table of sessions`),
      ),
  )

  test.each(databases)('[SE23] %s: a column that is computed is one line', (_, subject, tables, column) =>
    refused(
      subject,
      path => computedColumn(path, subject === langgraph ? 'checkpoints' : (tables.at(-1) as string), column),
      new RegExp(`the column ${column} of \\w+ is computed`),
    ),
  )

  test('[SE23] a virtual table is one line', () =>
    refused(
      opencode,
      path =>
        change(path, database => {
          const sql = String(database.prepare("select sql from sqlite_schema where name = 'part'").get()?.sql)
          database.exec(
            `drop table part; create virtual table part /* ${sql} */ using fts5(id, message_id, session_id, data)`,
          )
        }),
      /part is a virtual table and not a table/,
    ))

  test.each(databases)('[SE23] %s: pages that lead to each other again and again are one line', (_, subject, tables) =>
    refused(subject, path => endlessRows(path, tables.at(-1) as string), /the database is damaged/),
  )

  test.each(databases)('[SE23] %s: the same in its schema', (_, subject) =>
    inFolder(async folder => {
      const path = await brokenStore(subject, folder)
      endlessSchema(path)
      const { code, stderr } = run(['doctor', path], folder)
      expect({ code, stderr }).toMatchObject({ code: 2 })
      expect(lines(stderr)).toHaveLength(1)
    }),
  )

  test.each(databases)('[SE23] %s: the same in its statistics', (_, subject) =>
    refused(subject, endlessStatistics, /the database is damaged/),
  )

  test('[SE23] a database with sound statistics is read', () =>
    inFolder(async folder => {
      const path = await brokenStore(opencode, folder)
      change(path, database => {
        // Enough of them for more than one page.
        for (let index = 0; index < 200; index++)
          database.exec(`create table other_${index} (a); create index index_${index} on other_${index} (a);
            insert into other_${index} values (1)`)
        database.exec('analyze')
      })
      expect(run(['doctor', path], folder)).toMatchObject({ code: 1, stderr: '' })
    }))

  test('[SE23] the same in its log: it is read in a process that is ended', () =>
    inFolder(async folder => {
      const path = await brokenStore(opencode, folder)
      endlessSchemaInLog(path)
      const { code, stderr } = run(['doctor', path], folder)
      const line = `antiphon: ${path}: it takes too long to open, so it was not read\n`
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(line) })
    }))

  test.each(databases)('[SE24] %s: nothing of its own runs when it is healed', (_, subject, tables) =>
    inFolder(async folder => {
      const path = await brokenStore(subject, folder)
      const trigger = (
        table: string,
        event: string,
      ): string => `create trigger t_${table}_${event} after ${event} on ${table}
        begin delete from ${table}; end`
      change(path, database => {
        for (const table of tables)
          for (const event of ['insert', 'update', 'delete']) database.exec(trigger(table, event))
      })
      const before = bytesOf(folder)
      expect(run(['doctor', path], folder).code).toBe(1)
      const { code, stderr } = run(['doctor', '--fix', path], folder)
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/would run its trigger t_\w+/) })
      expect(bytesOf(folder)).toEqual(before)
    }),
  )

  test.each([
    ['a constraint', `check (data not glob '${'*a'.repeat(40)}*b')`],
    ['a constraint with its word in quotes', `check (not "glob"('${'*a'.repeat(40)}*b', data))`],
    ['a constraint that makes much of nothing', 'check (length(hex(zeroblob(400000000))) > 0)'],
  ])('[SE24] %s that takes for ever does not run', (_, constraint) =>
    inFolder(async folder => {
      const path = await brokenStore(opencode, folder)
      change(path, database => {
        ;(database as { enableDefensive?: (isActive: boolean) => void }).enableDefensive?.(false)
        database.exec('pragma writable_schema = on')
        const name = "name = 'part' and type = 'table'"
        const sql = String(database.prepare(`select sql from sqlite_schema where ${name}`).get()?.sql)
        const end = sql.lastIndexOf(')')
        database.prepare(`update sqlite_schema set sql = ? where ${name}`).run(`${sql.slice(0, end)}, ${constraint})`)
      })
      change(path, database =>
        database.exec(
          "pragma ignore_check_constraints = on; update part set data = json_set(data, '$.x', '" +
            'a'.repeat(200) +
            "')",
        ),
      )
      const before = bytesOf(folder)
      const { code, stderr } = run(['doctor', '--fix', path], folder)
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/would run (glob|hex|zeroblob) in its schema/),
      })
      expect(bytesOf(folder)).toEqual(before)
    }),
  )

  /** A session of the OpenAI Agents SDK with one message, whose text the statement gives, and a branch that names it often. */
  const agentSession = (path: string, text: string, seats: number): void =>
    change(path, database =>
      database.exec(`
        create table agent_sessions (session_id text primary key);
        create table agent_messages (id integer primary key, session_id text, message_data text, created_at text,
          foreign key (session_id) references agent_sessions (session_id));
        create table message_structure (id integer primary key, session_id text, message_id integer, branch_id text,
          sequence_number integer, foreign key (message_id) references agent_messages (id));
        insert into agent_sessions values ('s');
        insert into agent_messages values (1, 's', ${text}, '');
        insert into message_structure (session_id, message_id, branch_id, sequence_number)
          with recursive n(i) as (select 1 union all select i + 1 from n where i < ${seats}) select 's', 1, 'main', i from n`),
    )

  test.each([
    ['', "json_object('role', 'user', 'content', printf('%.1000000c', 'x'))"],
    [', with a NUL in front', "cast(x'00' as text) || printf('%.1000000c', 'x')"],
  ])('[SE23] a message that a branch names many times is not held as often%s', (_, text) =>
    inFolder(async folder => {
      const path = join(folder, 'conversations.db')
      agentSession(path, text, 20_000)
      const { code, stderr } = run(['doctor', path], folder)
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('it has more than 256 MB') })
    }),
  )

  test.each([
    ['a string that is never closed', `'"' || replace(printf('%.500000c', 'x'), 'x', '\\"')`],
    ['a long picture', `'{"role":"user","content":"' || printf('%.12000000c', 'x') || '"}'`],
  ])('[SE66] %s is read in proportion to its length', (_, text) =>
    inFolder(async folder => {
      const path = join(folder, 'conversations.db')
      agentSession(path, text, 1)
      expect(run(['doctor', path], folder)).toMatchObject({ code: 0 })
    }),
  )

  test('[SE62] statistics that lie, and missing keys and indexes, do not make of one statement endless work', () =>
    inFolder(async folder => {
      const path = join(folder, 'conversations.db')
      const rows = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000)'
      change(path, database =>
        database.exec(`
          pragma foreign_keys = off;
          create table agent_sessions (session_id text);
          create table agent_messages (id integer, session_id text, message_data text, created_at text,
            foreign key (session_id) references agent_sessions (session_id));
          create table message_structure (id integer, session_id text, message_id integer, branch_id text,
            sequence_number integer, foreign key (message_id) references agent_messages (id));
          insert into agent_sessions values ('s');
          insert into agent_messages ${rows} select i, 's', '{"role":"user","content":"x"}', '' from n;
          insert into message_structure ${rows} select i, 's', i, 'main', i from n;
          analyze;
          update sqlite_stat1 set stat = '1'`),
      )
      expect(run(['doctor', path], folder)).toMatchObject({ code: 0 })
    }))
})

describe('a journal that somebody else made', () => {
  const looks = (path: string, page: string): string[][] => [
    ['threads', path],
    ['show', path, 'chat'],
    ['view', path, '--export', page],
  ]

  test.each<[string, (path: string) => void, RegExp]>([
    ['a view that never ends', path => endlessView(path, 'antiphon_thread'), /antiphon_thread is a view/],
    ['entries that never end', path => endlessRows(path, 'antiphon_thread'), /the database is damaged/],
    ['a schema that never ends', endlessSchema, /the database is damaged/],
    ['statistics that never end', endlessStatistics, /the database is damaged/],
    [
      'a table without its key',
      path => withoutKey(path, 'antiphon_open_call'),
      /its table antiphon_open_call is not a table of a journal/,
    ],
    [
      'entries without their key',
      path => withoutKey(path, 'antiphon_entry'),
      /its table antiphon_entry is not a table of/,
    ],
  ])('[SE23] %s is one line', (_, spoil, words) =>
    inFolder(async folder => {
      const path = join(folder, 'chat.db')
      const journal = await openJournal(`sqlite:${path}`)
      await journal.thread('chat').submit('hello')
      await journal.close()
      spoil(path)
      for (const args of looks(path, join(folder, '..', 'page.html'))) {
        const { code, stderr } = run(args, folder)
        expect({ args, code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(words) })
        expect(lines(stderr)).toHaveLength(1)
      }
    }),
  )

  /** A table with the same columns and rows, and without the key that each query goes by. */
  const withoutKey = (path: string, table: string): void =>
    change(path, database =>
      database.exec(
        `create table copy as select * from ${table}; drop table ${table}; alter table copy rename to ${table}`,
      ),
    )

  test('[SE110] the connection that it is read with distrusts it, and is bounded in time', () =>
    inFolder(async folder => {
      const path = join(folder, 'chat.db')
      const journal = await openJournal(`sqlite:${path}`)
      for (const name of ['one', 'two', 'three']) await journal.thread(name).submit('hello')
      await journal.close()
      const before = bytesOf(folder)
      let seconds = 0
      const limit = { milliseconds: 20_000, refill: 0.1, now: () => 1_000 * seconds++ }
      const store = await lookAtJournal(path, { limit })
      const read = async (): Promise<string> => {
        for (let times = 0; times < 100; times++)
          try {
            await store.list(0, 10)
          } catch (error) {
            return (error as Error).message
          }
        return 'read'
      }
      expect(await read()).toBe(`${path}: it takes too long to read, so the rest of it was not read`)
      seconds += 100
      expect(await store.list(0, 10), 'after a pause it can be read again').toHaveLength(3)
      await store.close()
      expect(bytesOf(folder)).toEqual(before)
    }))

  test('[SE23] one that is sound is read as ever', () =>
    inFolder(async folder => {
      const path = join(folder, 'chat.db')
      const journal = await openJournal(`sqlite:${path}`)
      await journal.thread('chat').submit('hello')
      const before = readFileSync(path)
      for (const args of looks(path, join(folder, '..', 'page.html')))
        expect(run(args, folder)).toMatchObject({ code: 0 })
      await journal.close()
      writeFileSync(join(folder, 'old'), before)
      for (const args of looks(path, join(folder, '..', 'page.html')))
        expect(run(args, folder)).toMatchObject({ code: 0 })
    }))
})
