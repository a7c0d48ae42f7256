import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { goose } from '../../../../src/doctor/systems/goose/index.ts'
import { type ChatMessage, message, pairingFaults, result, user } from '../../chat/chat.ts'
import { describeSamples } from '../../chat/samples.ts'
import { about, all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { subject } from './subject.ts'

const { read, raw, load, bookkeeping } = subject

describeSystem(subject)
describeSamples({ system: goose, title: '[D610] samples of Goose', read, raw, load, bookkeeping })

const fix = (store: string) =>
  all(examineStores([store], { systems: [goose], fix: true, backups: join(store, '..', '..', 'backups') }))

const asks = (...ids: string[]): ChatMessage =>
  message('assistant', { calls: ids.map(id => ({ id, name: 'shell', input: { command: 'ls' } })) })

const at = (...rows: readonly (readonly [number, ChatMessage])[]) => rows.map(([time, one]) => ({ time, message: one }))

function change(path: string, statement: string): void {
  const database = new DatabaseSync(path)
  database.exec(statement)
  database.close()
}

function times(path: string): unknown[] {
  const database = new DatabaseSync(path)
  const rows = database.prepare('select created_timestamp as time from messages order by id').all()
  database.close()
  return rows.map(({ time }) => time)
}

test('[D611] Goose: a result that the clock put before its call is read after it again, and no other time changes', () =>
  inFolder(async folder => {
    const rows = at(
      [10, user('Go')],
      [20, asks('a')],
      [15, result('a', 'done')],
      [20, message('assistant', { texts: ['Done'] })],
    )
    const path = subject.store(folder, rows)
    await fix(path)
    expect(pairingFaults(read(path))).toEqual([])
    expect(times(path)).toEqual([10, 20, 20, 20])
  }))

test('[D611] Goose: a result without a row of its step is added after the call, before rows of the same second', () =>
  inFolder(async folder => {
    const path = subject.store(
      folder,
      at([10, user('Go')], [20, asks('a')], [20, user('Next')], [20, message('assistant', { texts: ['Yes'] })]),
    )
    await fix(path)
    expect(pairingFaults(read(path))).toEqual([])
    expect(read(path).map(({ texts }) => texts[0])).toEqual(['Go', undefined, undefined, 'Next', 'Yes'])
    expect(times(path)).toEqual([10, 20, 21, 21, 20])
  }))

test('[D612] Goose: calls that wait for a confirmation stay open, and what the agent does not see is not judged', () =>
  inFolder(async folder => {
    const path = subject.store(folder, at([10, user('Go')], [20, asks('a')]))
    change(
      path,
      `insert into messages (message_id, session_id, role, content_json, created_timestamp)
       values ('m', 'session-1', 'assistant', '[{"type":"actionRequired","data":{"actionType":"toolConfirmation","id":"a"}}]', 21);
       insert into messages (message_id, session_id, role, content_json, created_timestamp, metadata_json)
       select 'hidden', session_id, role, content_json, 5, '{"userVisible":true,"agentVisible":false}' from messages where id = 2`,
    )
    const before = bytesOf(path)
    expect((await fix(path)).map(state)).toEqual(['pending'])
    expect(bytesOf(path)).toEqual(before)
  }))

test('[D613] Goose: a newer schema, and a session with a row that cannot be read, are left alone', () =>
  inFolder(async folder => {
    const path = subject.store(folder, at([10, user('Go')], [20, asks('a')]), at([10, user('Go')], [20, asks('b')]))
    change(path, "update messages set content_json = '{' where session_id = 'session-2'")
    const found = await fix(path)
    expect(found.map(about).filter(line => line.includes('cannot be read'))).toHaveLength(1)
    expect(pairingFaultsOf(path)).toEqual([])
    change(path, 'insert into schema_version (version) values (99)')
    const before = bytesOf(path)
    expect((await fix(path)).map(about)).toEqual([expect.stringContaining('newer version of Goose')])
    expect(bytesOf(path)).toEqual(before)
  }))

function pairingFaultsOf(path: string): string[] {
  change(path, "delete from messages where session_id = 'session-2'")
  return pairingFaults(read(path))
}
