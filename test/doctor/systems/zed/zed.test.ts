import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { zed } from '../../../../src/doctor/systems/zed/index.ts'
import { message, pairingFaults, result, user } from '../../chat/chat.ts'
import { describeSamples } from '../../chat/samples.ts'
import { inDatabase, loadDumps } from '../../chat/sqlite-store.ts'
import { about, all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { startProgram } from '../../live.ts'
import { type Agent, addThread, elementsOf, sentMessages, subject, threadTexts, writeThreads } from './subject.ts'

describeSystem(subject)
describeSamples({
  system: zed,
  title: '[D670] samples of Zed',
  read: sentMessages,
  raw: folder => threadTexts(folder).join('\n'),
  load: loadDumps,
})

const fix = (store: string) =>
  all(examineStores([store], { systems: [zed], fix: true, backups: join(store, '..', '..', 'backups') }))

const asks = (...ids: string[]) =>
  message('assistant', { calls: ids.map((id, index) => ({ id, name: 'terminal', input: { command: `ls ${index}` } })) })

const says = (text: string) => message('assistant', { texts: [text] })

const agentsIn = (path: string): Agent[] =>
  JSON.parse(threadTexts(path)[0]).messages.flatMap((one: { Agent?: Agent }) => (one.Agent ? [one.Agent] : []))

const rowsIn = (path: string): unknown[] =>
  inDatabase(path, database =>
    database.prepare('select id, summary, updated_at, created_at, data_type from threads order by rowid').all(),
  )

test('[D671] Zed: a result in another message than its call goes to its call, and other elements stay as they are', () =>
  inFolder(async folder => {
    const path = writeThreads(folder, [
      elementsOf([user('Go'), asks('a', 'b'), result('a', 'first'), says('Then'), result('b', 'second'), user('Next')]),
    ])
    const [before, rows] = [threadTexts(path)[0], rowsIn(path)]
    expect((await fix(path)).map(about)).toEqual([expect.stringContaining('broken')])
    const [calling, talking] = agentsIn(path)
    expect(Object.keys(calling.tool_results)).toEqual(['a', 'b'])
    expect(calling.tool_results.b).toMatchObject({ tool_use_id: 'b', content: [{ Text: 'second' }], is_error: false })
    expect(talking.tool_results).toEqual({})
    expect(pairingFaults(sentMessages(path))).toEqual([])
    expect(rowsIn(path)).toEqual(rows)
    const [after] = threadTexts(path)
    expect(after.replace(/"messages":\[.*\],"updated_at"/, '')).toBe(
      before.replace(/"messages":\[.*\],"updated_at"/, ''),
    )
  }))

test('[D671] Zed: calls with the same id in one message are told apart, and the one without a result gets one', () =>
  inFolder(async folder => {
    const path = writeThreads(folder, [elementsOf([user('Go'), asks('a', 'a'), result('a', 'first'), says('Done')])])
    await fix(path)
    expect(pairingFaults(sentMessages(path))).toEqual([])
    const [calling] = agentsIn(path)
    expect(Object.keys(calling.tool_results)).toHaveLength(2)
    expect(calling.tool_results.a).toMatchObject({ content: [{ Text: 'first' }] })
  }))

test('[SE661] Zed: agent messages before the last summary are not sent, so they are neither a defect nor changed', () =>
  inFolder(async folder => {
    const old = elementsOf([user('Go'), asks('a'), says('Then'), result('b', 'stray')])
    const summary = { Compaction: { Summary: 'It went.' } }
    const later = elementsOf([user('And now?'), asks('c'), result('c', 'done')])
    const [first, second] = ['healthy', 'broken'].map(name => join(folder, name))
    for (const one of [first, second]) mkdirSync(one)
    const healthy = writeThreads(first, [[...old, summary, ...later]])
    const before = bytesOf(healthy)
    expect((await fix(healthy)).map(state)).toEqual(['healthy'])
    expect(bytesOf(healthy)).toEqual(before)

    const broken = writeThreads(second, [[...old, summary, ...later, ...elementsOf([asks('d')])]])
    expect((await fix(broken)).map(state)).toEqual(['broken'])
    const { messages } = JSON.parse(threadTexts(broken)[0])
    expect(messages.slice(0, old.length)).toEqual(old)
    expect(Object.keys(messages.at(-1).Agent.tool_results)).toEqual(['d'])
  }))

test('[D672] Zed: a thread of another version, and one that cannot be read, are left alone; the others are repaired', () =>
  inFolder(async folder => {
    const broken = elementsOf([user('Go'), asks('a'), user('And?')])
    const path = writeThreads(folder, [broken])
    inDatabase(path, database => {
      addThread(database, { id: 'old', messages: broken, version: '0.2.0' })
      addThread(database, { id: 'strange', messages: [...broken, { Oracle: {} }] })
      const mixed = { Agent: { content: [], tool_results: { a: { tool_use_id: 'b', content: 'x' } } } }
      addThread(database, { id: 'mixed', messages: [...broken, mixed] })
      addThread(database, { id: 'cut', messages: broken })
      database.exec("update threads set data = substr(data, 1, 40) where id = 'cut'")
    })
    const [, ...before] = threadTextsOrBytes(path)
    const found = await fix(path)
    expect(found.map(state)).toEqual(['broken', 'healthy', 'unreadable', 'unreadable', 'unreadable'])
    expect(found.map(one => (one.kind === 'conversation' ? one.examination.notes : about(one)))).toEqual([
      [],
      [expect.stringContaining('its format is version "0.2.0"')],
      expect.stringContaining('messages[3] is not a message that is known'),
      expect.stringContaining('messages[3] is not a message that is known'),
      expect.stringContaining('cannot be read'),
    ])
    const [repaired, ...after] = threadTextsOrBytes(path)
    expect(after).toEqual(before)
    expect(repaired).not.toEqual(before[0])
  }))

const threadTextsOrBytes = (path: string): unknown[] =>
  inDatabase(path, database =>
    database
      .prepare('select hex(data) as data from threads order by rowid')
      .all()
      .map(({ data }) => data),
  )

test('[D673] Zed: while it has the database open, nothing is written', () =>
  inFolder(async folder => {
    const path = writeThreads(folder, [elementsOf([user('Go'), asks('a'), user('And?')])])
    const editor = startProgram({ name: 'zed-editor', connected: [path] })
    const before = bytesOf(path)
    try {
      expect((await fix(path)).map(about)).toEqual([expect.stringContaining('has it open for writing')])
      expect(bytesOf(path)).toEqual(before)
    } finally {
      await editor.kill()
    }
    await fix(path)
    expect(pairingFaults(sentMessages(path))).toEqual([])
  }))
