import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { crush } from '../../../../src/doctor/systems/crush/index.ts'
import { type ChatMessage, message, pairingFaults, result, user } from '../../chat/chat.ts'
import { describeSamples } from '../../chat/samples.ts'
import { about, all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { subject } from './subject.ts'

const { read, raw, load, bookkeeping } = subject

describeSystem(subject)
describeSamples({ system: crush, title: '[D620] samples of Crush', read, raw, load, bookkeeping })

const fix = (store: string) =>
  all(examineStores([store], { systems: [crush], fix: true, backups: join(store, '..', '..', 'backups') }))

const asks = (...ids: string[]): ChatMessage =>
  message('assistant', { calls: ids.map(id => ({ id, name: 'bash', input: { command: 'ls' } })) })

const at = (...rows: readonly (readonly [number, ChatMessage])[]) => rows.map(([time, one]) => ({ time, message: one }))

function change(path: string, statement: string): void {
  const database = new DatabaseSync(path)
  database.exec(statement)
  database.close()
}

function schemaOf(path: string): unknown[] {
  const database = new DatabaseSync(path)
  const rows = database.prepare('select type, name, sql from sqlite_schema order by name').all()
  database.close()
  return rows
}

test('[D621] Crush: a result without a tool row gets one in the second of its call, a late one moves there, and the count is right', () =>
  inFolder(async folder => {
    const rows = at(
      [10, user('Go')],
      [20, asks('a')],
      [20, user('Next')],
      [20, asks('b')],
      [21, message('assistant', { texts: ['Yes'] })],
      [25, result('b', 'late')],
    )
    const path = subject.store(folder, rows)
    const schema = schemaOf(path)
    await fix(path)
    expect(schemaOf(path)).toEqual(schema)
    expect([...bookkeeping(path), ...pairingFaults(read(path))]).toEqual([])
    expect(read(path).map(({ texts }) => texts[0])).toEqual([
      'Go',
      undefined,
      undefined,
      'Next',
      undefined,
      undefined,
      'Yes',
    ])
    expect(read(path)[5].results).toEqual([{ id: 'b', text: 'late' }])
  }))

test('[D621] Crush: a count that is wrong already is right after a repair', () =>
  inFolder(async folder => {
    const path = subject.store(
      folder,
      at([10, user('Go')], [20, asks('a')], [21, user('Next')], [22, result('z', 'stray')]),
    )
    change(path, 'update sessions set message_count = 0')
    await fix(path)
    expect([...bookkeeping(path), ...pairingFaults(read(path))]).toEqual([])
  }))

test('[SE706] Crush: arguments of a call whose response broke off become an object, so that the call is sent with its result', () =>
  inFolder(async folder => {
    const rows = at(
      [10, user('Go')],
      [20, asks('a', 'b')],
      [21, result('a', 'done')],
      [22, user('Next')],
      [30, asks('c')],
      [31, result('c', 'fine')],
    )
    const path = subject.store(folder, rows)
    const cut = (from: string, to: string): string => `update messages set parts = replace(parts, '${from}', '${to}')`
    // The program stores a call when its name arrives, and its arguments when all of them are there.
    const whole = '"id":"ID","name":"bash","input":"{\\"command\\":\\"ls\\"}","provider_executed":false,"finished":true'
    const open = (id: string, input: string): string =>
      `"id":"${id}","name":"bash","input":"${input}","provider_executed":false,"finished":false`
    change(path, cut(whole.replace('ID', 'b'), open('b', '')))
    change(path, cut(whole.replace('ID', 'c'), open('c', '{\\"comm')))
    expect((await fix(path)).map(state)).toEqual(['broken'])
    const calls = read(path).flatMap(one => one.calls)
    expect(calls.map(({ id, input }) => [id, input])).toEqual([
      ['a', { command: 'ls' }],
      ['b', {}],
      ['c', { _cut_off: '{"comm' }],
    ])
    expect([...bookkeeping(path), ...pairingFaults(read(path))]).toEqual([])
    expect((await fix(path)).map(state)).toEqual(['healthy'])
  }))

test('[D622] Crush: what is before the summary is not sent and not repaired', () =>
  inFolder(async folder => {
    const path = subject.store(
      folder,
      at([10, user('Go')], [20, asks('a')], [30, message('assistant', { texts: ['In short'] })], [40, user('Next')]),
    )
    change(
      path,
      "update sessions set summary_message_id = 'session-1-2'; update messages set is_summary_message = 1 where id = 'session-1-2'",
    )
    const before = bytesOf(path)
    expect((await fix(path)).map(state)).toEqual(['healthy'])
    expect(bytesOf(path)).toEqual(before)
  }))

test('[D623] Crush: a newer schema is left alone, and so are triggers that are not those of the program', () =>
  inFolder(async folder => {
    const path = subject.store(folder, at([10, user('Go')], [20, asks('a')]))
    change(path, 'create trigger extra after insert on messages begin delete from sessions; end')
    const before = bytesOf(path)
    expect((await fix(path)).map(about)).toEqual([expect.stringContaining('would run its trigger extra')])
    expect(bytesOf(path)).toEqual(before)
    change(path, 'drop trigger extra; insert into goose_db_version (version_id, is_applied) values (20991231000000, 1)')
    expect((await fix(path)).map(about)).toEqual([expect.stringContaining('newer version of Crush')])
  }))

test('[D624] Crush: the process in its lock is its user, and the projects that it has noted are found', () =>
  inFolder(async folder => {
    const path = subject.store(folder, at([10, user('Go')]))
    writeFileSync(join(folder, 'crush.lock'), '{"pid":4711}')
    expect(crush.program?.owners?.(path, 0)).toEqual([{ pid: 4711, isThis: true }])
    const projects = [
      { path: '/home/dev/shop', data_dir: '.crush' },
      { path: '/home/dev/api', data_dir: '/data/api' },
    ]
    writeFileSync(join(folder, 'projects.json'), JSON.stringify({ projects }))
    const places = crush.places({
      home: '/home/dev',
      folder: '/work',
      environment: { CRUSH_GLOBAL_DATA: folder },
      platform: 'linux',
    })
    expect(places).toEqual(['/work/.crush/crush.db', '/home/dev/shop/.crush/crush.db', '/data/api/crush.db'])
  }))
