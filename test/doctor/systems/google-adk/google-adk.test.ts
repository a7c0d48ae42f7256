import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { googleAdk } from '../../../../src/doctor/systems/google-adk/index.ts'
import { message, result, user } from '../../chat/chat.ts'
import { describeSamples, filesIn } from '../../chat/samples.ts'
import { inDatabase, loadDumps, textIn } from '../../chat/sqlite-store.ts'
import { about, all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { eventsOf, readEvents, subject, writeSessions } from './subject.ts'

describeSystem(subject)
describeSamples({
  system: googleAdk,
  title: '[D655] samples of Google ADK',
  read: readEvents,
  load: loadDumps,
  raw: folder => textIn(filesIn(folder, '.db')[0]),
})

const calling = (...ids: string[]) =>
  message('assistant', { calls: ids.map(id => ({ id, name: 'bash', input: { command: 'ls' } })) })
const said = (text: string) => message('assistant', { texts: [text] })

test('[D656] Google ADK: a missing result goes into the event with the others, or into a new one between its neighbours', () =>
  inFolder(async folder => {
    const chat = [user('a'), calling('1', '2'), result('2', 'real'), said('b'), calling('3'), user('c')]
    const path = writeSessions(folder, [eventsOf(chat)])
    const before = rowsIn(path)
    await fix(path)
    const after = rowsIn(path)
    expect(after).toHaveLength(before.length + 1)
    expect(readEvents(path).map(({ results }) => results.map(({ id }) => id))).toEqual([
      [],
      [],
      ['1', '2'],
      [],
      [],
      ['3'],
      [],
    ])
    const times = after.map(({ timestamp }) => timestamp).sort()
    expect(new Set(times).size).toBeGreaterThanOrEqual(new Set(before.map(({ timestamp }) => timestamp)).size + 1)
    expect(after.filter(({ rowid }) => rowid !== 3 && Number(rowid) <= before.length)).toEqual(
      before.filter(({ rowid }) => rowid !== 3),
    )
  }))

test('[SE46] Google ADK: times that cannot be read are one clear line, and nothing is written', () =>
  inFolder(async folder => {
    const path = writeSessions(folder, [eventsOf([user('a'), calling('1'), user('b')])])
    inDatabase(path, database => database.exec("update events set timestamp = 'soon'"))
    const before = rowsIn(path)
    const [found] = await fix(path)
    expect(found).toMatchObject({ failure: { message: expect.stringContaining('an event has no time') } })
    expect(rowsIn(path)).toEqual(before)
  }))

test('[D656] Google ADK: times that are stored as text stay text', () =>
  inFolder(async folder => {
    const path = writeSessions(folder, [eventsOf([user('a'), calling('1'), user('b')])])
    inDatabase(path, database =>
      database.exec(
        "create table old as select * from events; drop table events; create table events (id text, app_name text, user_id text, session_id text, invocation_id text, timestamp datetime, event_data json); insert into events select id, app_name, user_id, session_id, invocation_id, '2026-08-12 10:15:0' || rowid || '.100000', event_data from old; drop table old",
      ),
    )
    await fix(path)
    const times = rowsIn(path).map(({ timestamp }) => timestamp)
    expect(times).toEqual(
      [1, 2, 3].map(second => `2026-08-12 10:15:0${second}.100000`).concat('2026-08-12 10:15:02.101000'),
    )
  }))

test('[D656] Google ADK: an event without a call that changes the state stays without its content', () =>
  inFolder(async folder => {
    const [stray] = eventsOf([result('9', 'stray')])
    const path = writeSessions(folder, [
      [...eventsOf([user('a')]), { ...stray, actions: { state_delta: { city: 'Rome' } } }, ...eventsOf([said('b')])],
    ])
    await fix(path)
    const [, event] = rowsIn(path).map(({ event_data }) => JSON.parse(String(event_data)))
    expect(event.actions.state_delta).toEqual({ city: 'Rome' })
    expect(event.content).toBeUndefined()
  }))

test('[D657] Google ADK: calls of long-running tools stay open, and may have several results', () =>
  inFolder(async folder => {
    const [asked, first, answer, second] = eventsOf([
      calling('1'),
      result('1', 'pending'),
      said('wait'),
      result('1', 'done'),
    ])
    const events = [...eventsOf([user('a')]), { ...asked, long_running_tool_ids: ['1'] }, first, answer, second]
    const path = writeSessions(folder, [events, [...eventsOf([user('a')]), { ...asked, long_running_tool_ids: ['1'] }]])
    const before = bytesOf(path)
    expect((await fix(path)).map(state)).not.toContain('broken')
    expect(bytesOf(path)).toEqual(before)
  }))

test('[D657] Google ADK: events that were taken back, or that a summary replaces, are not repaired', () =>
  inFolder(async folder => {
    const events = eventsOf([user('a'), calling('1'), user('b')])
    const rewound = [...events, { actions: { rewind_before_invocation_id: 'e-1' } }]
    const replaced = [...events, { actions: { compaction: { start_timestamp: 0, end_timestamp: 9e9 } } }]
    const path = writeSessions(folder, [rewound, replaced])
    const before = bytesOf(path)
    expect((await fix(path)).map(state)).toEqual(['healthy', 'healthy'])
    expect(bytesOf(path)).toEqual(before)
  }))

test('[SE663] Google ADK: a rewind and a summary that were themselves taken back hide nothing', () =>
  inFolder(async folder => {
    const events = eventsOf([user('a'), calling('1'), user('b')]).map(event => ({ ...event, invocation_id: 'e-0' }))
    const rewind = (event: string) => ({ actions: { rewind_before_invocation_id: event } })
    const summary = { invocation_id: 'e-9', actions: { compaction: { start_timestamp: 0, end_timestamp: 9e9 } } }
    const path = writeSessions(folder, [
      [...events, { invocation_id: 'e-9', ...rewind('e-0') }, rewind('e-9')],
      [...events, summary, rewind('e-9')],
    ])
    expect((await fix(path)).map(state)).toEqual(['broken', 'broken'])
    expect((await fix(path)).map(state)).toEqual(['healthy', 'healthy'])
  }))

test('[D658] Google ADK: tables before version 1 of the schema, and newer ones, get one clear line', () =>
  inFolder(async folder => {
    const path = writeSessions(folder, [eventsOf([user('a'), calling('1')])])
    inDatabase(path, database =>
      database.exec(
        "create table adk_internal_metadata (key text, value text); insert into adk_internal_metadata values ('schema_version', '2')",
      ),
    )
    expect((await fix(path)).map(about).join()).toMatch(/version 2/)
    inDatabase(path, database =>
      database.exec('delete from adk_internal_metadata; alter table events rename column event_data to content'),
    )
    expect((await fix(path)).map(about).join()).toMatch(/before version 1/)
  }))

const rowsIn = (path: string) =>
  inDatabase(path, database => database.prepare('select rowid, * from events order by rowid').all())

const fix = (store: string) =>
  all(examineStores([store], { systems: [googleAdk], fix: true, backups: join(store, '..', '..', 'backups') }))
