import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { hermes } from '../../../../src/doctor/systems/hermes/index.ts'
import { Random } from '../../../laws/random.ts'
import { message, result, user } from '../../chat/chat.ts'
import { describeSamples } from '../../chat/samples.ts'
import { inDatabase, loadDumps, textIn } from '../../chat/sqlite-store.ts'
import { about, all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { bookkeeping, readSession, subject, writeSessions } from './subject.ts'

describeSystem(subject)
describeSamples({
  system: hermes,
  title: '[D645] samples of hermes-agent',
  read: readSession,
  load: loadDumps,
  bookkeeping,
  raw: folder => textIn(join(folder, 'state.db')),
})

const calling = (...ids: string[]) =>
  message('assistant', { calls: ids.map(id => ({ id, name: 'bash', input: { command: 'ls' } })) })
const said = (text: string) => message('assistant', { texts: [text] })
const broken = [user('a'), calling('1', '2'), result('1', 'real'), user('b'), result('2', 'late'), said('c')]

const written = (folder: string, chat: Parameters<typeof writeSessions>[1][number]): string =>
  writeSessions(folder, [[user('other'), said('fine')], chat], new Random(7))

test('[D646] hermes-agent: rows that are replaced stay as inactive ones, and a result that only goes needs no copies', () =>
  inFolder(async folder => {
    const path = written(folder, [user('a'), said('b'), result('9', 'stray'), user('c')])
    const before = rowsIn(path)
    await fix(path)
    expect(rowsIn(path)).toEqual(before.map(row => (row.content === 'stray' ? { ...row, active: 0 } : row)))
    expect(bookkeeping(path)).toEqual([])
  }))

test('[D646] hermes-agent: what comes before the first change keeps its ids, and other sessions all of them', () =>
  inFolder(async folder => {
    const path = written(folder, broken)
    const before = rowsIn(path)
    await fix(path)
    const after = rowsIn(path)
    expect(after.filter(({ id }) => Number(id) <= before.length).map(({ active: _, ...row }) => row)).toEqual(
      before.map(({ active: _, ...row }) => row),
    )
    expect(readSession(path).map(({ results }) => results.map(({ text }) => text))).toEqual([
      [],
      [],
      ['real'],
      ['late'],
      [],
      [],
    ])
  }))

test('[D646] hermes-agent: a call id that repeats in a later turn is replaced, with its result', () =>
  inFolder(async folder => {
    const path = written(folder, [
      user('a'),
      calling('1'),
      result('1', 'one'),
      user('b'),
      calling('1'),
      result('1', 'two'),
    ])
    await fix(path)
    const chat = readSession(path)
    const ids = chat.flatMap(({ calls }) => calls.map(({ id }) => id))
    expect(new Set(ids).size).toBe(2)
    expect(chat.flatMap(one => one.results).map(({ id, text }) => [ids.indexOf(id), text])).toEqual([
      [0, 'one'],
      [1, 'two'],
    ])
  }))

test.each([
  ['a turn', "insert into session_turn_leases values ('20260811_101500_3f9a2c', 'cli:pid=PID:1', 0, 9e9)"],
  ['a compression', "insert into compression_locks values ('20260811_101500_3f9a2c', 'cli:pid=PID', 0, 9e9)"],
  ['a gateway', "insert into gateway_heartbeats values ('g', PID, 0, 9e9, '', '')"],
])('[D647] hermes-agent: a session is left alone while %s of a running process is recorded', (_, statement) =>
  inFolder(async folder => {
    const path = written(folder, broken)
    inDatabase(path, database => database.exec(statement.replace('PID', String(process.pid))))
    const before = bytesOf(path)
    expect((await fix(path)).map(state)).toContain('busy')
    expect(bytesOf(path)).toEqual(before)
    inDatabase(path, database =>
      database.exec(
        "update session_turn_leases set holder = 'pid=999999999'; update compression_locks set holder = 'pid=999999999'; update gateway_heartbeats set pid = 999999999",
      ),
    )
    expect((await fix(path)).map(state)).toContain('broken')
    expect(readSession(path)).toHaveLength(broken.length)
  }),
)

test('[D647] hermes-agent: a session that a compression has ended, and one whose index is being built, are left alone', () =>
  inFolder(async folder => {
    const path = written(folder, broken)
    inDatabase(path, database => database.exec("insert into state_meta values ('fts_stale', '1')"))
    const before = bytesOf(path)
    expect((await fix(path)).map(about).join()).toContain('broken')
    expect(bytesOf(path)).toEqual(before)
    inDatabase(path, database =>
      database.exec("delete from state_meta; update sessions set end_reason = 'compression'"),
    )
    expect((await fix(path)).map(state)).toEqual(['healthy', 'healthy'])
  }))

test('[D648] hermes-agent: a newer schema, and a trigger that is not of the program, are refused with one line', () =>
  inFolder(async folder => {
    const path = written(folder, broken)
    inDatabase(path, database =>
      database.exec('create trigger strange after update on messages begin delete from sessions; end'),
    )
    expect((await fix(path)).map(one => (one.kind === 'conversation' ? one.failure?.message : '')).join()).toContain(
      'trigger strange',
    )
    inDatabase(path, database => database.exec('drop trigger strange; update schema_version set version = 31'))
    expect((await fix(path)).map(about).join()).toMatch(/version 31/)
  }))

const rowsIn = (path: string) =>
  inDatabase(path, database => database.prepare('select * from messages order by id').all())

const fix = (store: string) =>
  all(examineStores([store], { systems: [hermes], fix: true, backups: join(store, '..', '..', 'backups') }))
