import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import { isBoundedTrigger } from '../../src/doctor/files/program-triggers.ts'
import type { System } from '../../src/doctor/system.ts'
import { hermes } from '../../src/doctor/systems/hermes/index.ts'
import { openclawSqlite } from '../../src/doctor/systems/openclaw-sqlite/index.ts'
import { all, bytesOf, inFolder } from '../doctor/contract.ts'
import { root } from '../repository.ts'

const samples = {
  hermes: 'hermes/samples/broken/store/state.sql',
  openclaw: 'openclaw-sqlite/samples/broken/store/agents/main/agent/openclaw-agent.sql',
}

/** What is said when a sample with more in its schema is healed. */
async function failureOf(folder: string, system: System, sample: string, schema: string): Promise<string> {
  const path = join(folder, 'store.sqlite')
  const database = new DatabaseSync(path)
  database.exec(readFileSync(join(root, 'test/doctor/systems', sample), 'utf8'))
  database.exec(schema)
  database.close()
  const before = bytesOf(path)
  const found = await all(examineStores([path], { systems: [system], fix: true, backups: join(folder, 'backups') }))
  const failure = found.map(one => (one.kind === 'conversation' ? (one.failure?.message ?? '') : '')).join('')
  if (failure !== '') expect(bytesOf(path)).toEqual(before)
  return failure
}

const table = 'create table messages_t (a); insert into messages_t values (1)'
const afterInsert = 'create trigger messages_x after insert on messages'
const index = (options: string): string => `create virtual table messages_i using fts5(content${options})`
const view = (select: string): string => `create view messages_v as ${select}`

test.each([
  ['doubles a table', `${table}; ${afterInsert} begin insert into messages_t select a from messages_t; end`],
  [
    'joins tables by their whole names',
    `${table}; ${afterInsert} begin insert into messages_t select count(*) from main.messages_t a, main.messages_t b; end`,
  ],
  ['joins tables in brackets', `${table}; ${afterInsert} begin select 1 from (messages_t), (messages_t); end`],
  [
    'hides a statement in a text',
    `${table}; ${afterInsert} begin select (select count(*) from messages_t where ';' > (select ';' > (select max(a) from messages_t))); end`,
  ],
  ['looks up rows for its condition', `${afterInsert} when (select count(*) from messages) > 0 begin select 1; end`],
  [
    'runs other triggers',
    `${table}; ${afterInsert} begin insert into messages_t (a) values (1); end;
     create trigger messages_y after insert on messages_t begin delete from messages_t; end`,
  ],
  ['changes other rows', `${afterInsert} begin update messages set content = 'x'; end`],
  [
    'rebuilds an index',
    `${index('')}; ${afterInsert} begin insert into messages_i (messages_i) values ('rebuild'); end`,
  ],
  [
    'takes a command for an index from a row',
    `${index('')}; ${afterInsert} begin insert into messages_i (messages_i, rowid) values (new.content, new.id); end`,
  ],
  [
    'fills an index over a view',
    `${view('with recursive c (x) as (select 1 union all select x + 1 from c limit 1000) select x as id, x as content from c')};
     ${index(", content='messages_v', content_rowid='id'")};
     ${afterInsert} begin delete from messages_i where rowid = new.id; end`,
  ],
  [
    'fills an index whose option is abbreviated',
    `${view('select 1 as id, 1 as content from messages, messages b')};
     ${index(", cont=messages_v, content_rowid='id'")};
     ${afterInsert} begin delete from messages_i where rowid = new.id; end`,
  ],
])('[SE220] a trigger with a name of the program that %s does not run', (_, schema) =>
  inFolder(async folder => {
    expect(await failureOf(folder, hermes, samples.hermes, schema)).toContain('would run its trigger messages_')
  }),
)

test('[SE220] a trigger of the program that fills an index runs', () =>
  inFolder(async folder => {
    const schema = `${index('')}; ${afterInsert} begin insert into messages_i (rowid, content) values (new.id, new.content); end`
    expect(await failureOf(folder, hermes, samples.hermes, schema)).toBe('')
  }))

test('[SE220] a trigger that fills an index whose own tables have triggers is not bounded', () => {
  const entry = (type: string, name: string, tbl_name: string, sql: string) => ({ type, name, tbl_name, sql })
  const fills = `${afterInsert} begin insert into messages_i (rowid, content) values (new.id, new.content); end`
  const trigger = entry('trigger', 'messages_x', 'messages', fills)
  const schema = [trigger, entry('table', 'messages_i', 'messages_i', index(''))]
  expect(isBoundedTrigger(trigger, schema)).toBe(true)
  const inside = entry('trigger', 'z', 'messages_i_docsize', 'create trigger z')
  expect(isBoundedTrigger(trigger, [...schema, inside])).toBe(false)
})

test.each([
  'after update on session_windows begin delete from transcript_events; end',
  'after update of transcript_updated_at on session_windows begin delete from transcript_events; end',
  'before delete on transcript_events begin delete from session_nodes; end',
])('[SE220] in an OpenClaw database, a trigger "%s" does not run', trigger =>
  inFolder(async folder => {
    const schema = `create trigger session_x ${trigger}`
    expect(await failureOf(folder, openclawSqlite, samples.openclaw, schema)).toContain('trigger session_x')
  }),
)
