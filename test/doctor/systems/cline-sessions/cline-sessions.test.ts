import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { findUse } from '../../../../src/doctor/in-use.ts'
import { clineSessions } from '../../../../src/doctor/systems/cline-sessions/index.ts'
import { systems } from '../../../../src/doctor/systems.ts'
import { message, result, user } from '../../chat/chat.ts'
import { describeSamples } from '../../chat/samples.ts'
import { all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { startProgram } from '../../live.ts'
import { fileIn, messagesOf, readSession, session, subject, written } from './subject.ts'

describeSystem(subject)
describeSamples({ system: clineSessions, title: '[DD88] samples of Cline sessions', read: readSession })

const call = (id: string) =>
  message('assistant', { calls: [{ id, name: 'run_commands', input: { commands: ['ls'] } }] })
const said = (text: string) => message('assistant', { texts: [text] })

test('[DD89] Cline sessions: what was compacted is not sent, and stays as it is', () =>
  inFolder(async folder => {
    const old = [user('One'), call('toolu_1'), said('Done.')]
    const recent = [result('toolu_1', 'late'), user('Two'), call('toolu_2'), said('Done again.')]
    const store = written(folder, messagesOf([...old, ...recent]))
    const before = messagesIn(store)
    compact(store, old.length)
    expect((await fix(store)).map(state)).toEqual(['broken'])
    const after = messagesIn(store)
    expect(after.slice(0, old.length + 3)).toEqual(before.slice(0, old.length + 3))
    expect(after).toHaveLength(before.length + 1)
    expect(readSession(store)[old.length + 3].results).toMatchObject([{ id: 'toolu_2' }])
  }))

test('[DD89] Cline sessions: the shorter form of a session is not taken for another one', () =>
  inFolder(async folder => {
    const store = written(folder, messagesOf([user('One'), said('Done.')]))
    compact(store, 1, messagesOf([user('One'), call('toolu_1'), user('Two')]))
    const before = bytesOf(store)
    const found = await all(examineStores([store], { systems, fix: true, backups: join(store, '..', 'backups') }))
    expect(found.map(state)).toEqual(['healthy'])
    expect(bytesOf(store)).toEqual(before)
  }))

test('[DD89] Cline sessions: all is sent where the file has fewer messages than were compacted', () =>
  inFolder(async folder => {
    const store = written(folder, messagesOf([user('One'), call('toolu_1')]))
    compact(store, 5)
    await fix(store)
    expect(readSession(store).flatMap(one => one.results)).toMatchObject([{ id: 'toolu_1' }])
  }))

test('[DD89] Cline sessions: an error that is only shown stays between a call and its result', () =>
  inFolder(async folder => {
    const [first, calling, shown, answered] = messagesOf([
      user('One'),
      call('toolu_1'),
      said('Oops'),
      result('toolu_1', 'x'),
    ])
    const store = written(folder, [first, calling, { ...shown, metadata: { displayOnly: true } }, answered])
    const before = bytesOf(store)
    expect((await fix(store)).map(state)).toEqual(['healthy'])
    expect(bytesOf(store)).toEqual(before)
  }))

test('[DD89] Cline sessions: the session of a subagent is named after both', () =>
  inFolder(async folder => {
    const store = written(folder, messagesOf([user('One'), said('Done.')]))
    writeFileSync(join(store, session, 'agent_1.messages.json'), readFileSync(fileIn(store)))
    const found = await all(examineStores([store], { systems: [clineSessions] }))
    const ids = found.flatMap(one => (one.kind === 'conversation' ? [one.id] : []))
    expect(ids.toSorted()).toEqual([session, `${session}/agent_1`])
  }))

test('[DD89] Cline sessions: a process that has the list of sessions open keeps them from being repaired', () =>
  inFolder(async folder => {
    const store = written(join(folder, 'data', 'sessions'), messagesOf([user('One'), call('toolu_1')]))
    const list = join(folder, 'data', 'db', 'sessions.db')
    mkdirSync(dirname(list))
    writeFileSync(list, '')
    const before = bytesOf(store)
    const hub = startProgram({ open: [list] })
    try {
      const [one] = await fix(store)
      expect(state(one)).toBe('busy')
      expect(one.kind === 'conversation' && one.examination.notes.join()).toContain('run "cline hub stop"')
      expect(bytesOf(store)).toEqual(before)
    } finally {
      await hub.kill()
    }
    expect((await fix(store)).map(state)).toEqual(['broken'])
    expect(readSession(store)[2].results).toMatchObject([{ id: 'toolu_1' }])
  }))

test('[DD89] Cline sessions: where the list of sessions is elsewhere, any process of Cline may use them', () =>
  inFolder(async folder => {
    const file = fileIn(written(join(folder, 'data', 'sessions'), messagesOf([user('One'), call('toolu_1')])))
    const cline = { pid: 7, parent: 1, names: ['cline'], isReadable: true }
    const table = { processes: [cline], tellsHandles: true, writersOf: () => [] }
    const asked = { system: clineSessions, place: file, files: [file], isShared: false, now: Date.now() }
    expect(findUse(asked, () => table)).toMatchObject({
      kind: 'used',
      pid: 7,
      advice: expect.stringContaining('cline hub stop'),
    })
    mkdirSync(join(folder, 'data', 'db'))
    writeFileSync(join(folder, 'data', 'db', 'sessions.db'), '')
    expect(findUse(asked, () => table)).toEqual({ kind: 'free' })
  }))

test('[DD89] Cline sessions: a call without an id gets one, as does its result', () =>
  inFolder(async folder => {
    const store = written(folder, messagesOf([user('One'), call(''), result('', 'x'), user('Two'), call('toolu_2')]))
    expect((await fix(store)).map(state)).toEqual(['broken'])
    const [id] = readSession(store)[1].calls.map(one => one.id)
    expect(id).not.toBe('')
    expect(readSession(store).flatMap(({ results }) => results.map(one => one.id))).toEqual([id, 'toolu_2'])
    expect((await fix(store)).map(state)).toEqual(['healthy'])
  }))

const messagesIn = (store: string): unknown[] => JSON.parse(readFileSync(fileIn(store), 'utf8')).messages

const compact = (store: string, count: number, messages: readonly object[] = []): void =>
  writeFileSync(
    join(store, session, `${session}.compaction.json`),
    JSON.stringify({ version: 1, updated_at: '2026-11-19T04:30:00.000Z', source_message_count: count, messages }),
  )

const fix = async (store: string) =>
  (
    await all(examineStores([store], { systems: [clineSessions], fix: true, backups: join(store, '..', 'backups') }))
  ).filter(one => one.kind === 'conversation')
