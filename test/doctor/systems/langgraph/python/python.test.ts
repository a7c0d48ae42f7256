import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../../src/doctor/doctor.ts'
import { langgraph } from '../../../../../src/doctor/systems/langgraph/index.ts'
import { Random } from '../../../../laws/random.ts'
import { type ChatMessage, message, pairingFaults, result, user } from '../../../chat/chat.ts'
import { describeSamples } from '../../../chat/samples.ts'
import { about, all, bytesOf, describeSystem, inFolder, state } from '../../../contract.ts'
import { type Ext, pack } from './msgpack.ts'
import { load, messageOf, newest, readThread, store, subject } from './subject.ts'

describeSystem(subject)
describeSamples({
  system: langgraph,
  samples: 'langgraph/python',
  title: '[D630] samples of LangGraph for Python',
  read: readThread,
  load,
  raw: () => 'thread-42',
})

const fix = (path: string) =>
  all(examineStores([path], { systems: [langgraph], fix: true, backups: join(path, '..', '..', 'backups') }))

const asks: ChatMessage = message('assistant', {
  calls: [{ id: 'a', name: 'bash', input: { by: 1.5, list: [2.5, 70_000] } }],
})
const written = (...chat: ChatMessage[]) => chat.flatMap(one => messageOf(new Random(chat.indexOf(one)), one))

test('[D631] LangGraph for Python: only the messages of the newest checkpoint change, and each other one stays as it is', () =>
  inFolder(async folder => {
    const path = store(folder, { messages: written(user('Go'), asks, user('Next'), result('z', 'stray')) })
    const before = newest(path)
    const old = rowsOf(path)
    await fix(path)
    const { messages: healed, ...values } = newest(path).channel_values as { messages: object[] }
    const { messages, ...others } = before.channel_values as { messages: object[] }
    expect({ ...newest(path), channel_values: values }).toEqual({ ...before, channel_values: others })
    expect(healed.filter(one => messages.some(two => JSON.stringify(two) === JSON.stringify(one)))).toHaveLength(3)
    expect(rowsOf(path)[0]).toEqual(old[0])
    expect(readThread(path).flatMap(({ results }) => results)).toEqual([{ id: 'a', text: expect.any(String) }])
  }))

function rowsOf(path: string): unknown[] {
  const database = new DatabaseSync(path)
  const rows = database.prepare('select * from checkpoints order by checkpoint_id').all()
  database.close()
  return rows
}

test('[SE423] LangGraph for Python: a node that ran is not waited for, although its channel has a newer version', () =>
  inFolder(async folder => {
    const more = {
      channel_versions: { messages: '0005', 'branch:to:tools': '0004', 'branch:to:agent': '0004' },
      versions_seen: { tools: { 'branch:to:tools': '0003' }, agent: { 'branch:to:agent': '0002' } },
    }
    const asksTwo = message('assistant', { calls: [...asks.calls, { id: 'b', name: 'bash', input: {} }] })
    const chat = written(user('Go'), asksTwo, result('a', 'done'))
    const path = store(folder, { messages: chat, 'branch:to:agent': null }, more)
    expect((await fix(path)).map(state)).toEqual(['broken'])
    expect(readThread(path).flatMap(({ results }) => results.map(({ id }) => id))).toEqual(['a', 'b'])
  }))

test('[SE424] LangGraph for Python: a snapshot of a DeltaChannel gets one clear line, next to other histories', () =>
  inFolder(async folder => {
    const snapshot = { ext: 7, content: written(user('Go'), asks) }
    const more = { channel_versions: { messages: '5', notes: '5' }, versions_seen: {} }
    const path = store(folder, { messages: snapshot, notes: written(user('Go'), asks, user('Next')) }, more)
    const found = await all(examineStores([path], { systems: [langgraph] }))
    expect(found.map(about)).toEqual([expect.stringContaining('(DeltaChannel)'), expect.stringContaining('broken')])
  }))

test.each([
  [
    'a node that has not run',
    {
      channel_versions: { messages: '5', 'branch:to:tools': '0003' },
      versions_seen: { tools: { 'branch:to:tools': '0002' } },
    },
    '',
  ],
  ['an interrupt', {}, '__interrupt__'],
  ['results of its step', {}, 'messages'],
])('[D632] LangGraph for Python: a thread that waits for %s stays as it is', (_, more, channel) =>
  inFolder(async folder => {
    const path = store(folder, { messages: written(user('Go'), asks), 'branch:to:tools': null }, more)
    if (channel !== '') {
      const database = new DatabaseSync(path)
      const { id } = newest(path) as { id: string }
      database.prepare("insert into writes values ('thread-1', '', ?, 'task', 0, ?, 'msgpack', x'90')").run(id, channel)
      database.close()
    }
    const before = bytesOf(path)
    expect((await fix(path)).map(state)).toEqual(['pending'])
    expect(bytesOf(path)).toEqual(before)
  }),
)

test.each([
  ['messages that are kept as differences', {}, 'differences'],
  ['values that are not messages', { messages: [...written(user('Go')), 7] }, 'not a message'],
])('[D633] LangGraph for Python: %s are left alone', (_, values, words) =>
  inFolder(async folder => {
    const path = store(folder, values)
    const before = bytesOf(path)
    expect((await fix(path)).map(about)).toEqual([expect.stringContaining(words)])
    expect(bytesOf(path)).toEqual(before)
  }),
)

test('[D633] LangGraph for Python: a checkpoint that is cut off, and another serializer, are one line', () =>
  inFolder(async folder => {
    const path = store(folder, { messages: written(user('Go'), asks) })
    const database = new DatabaseSync(path)
    database.exec('update checkpoints set checkpoint = substr(checkpoint, 1, length(checkpoint) - 9)')
    expect((await fix(path)).map(about)).toEqual([expect.stringContaining('not the msgpack')])
    database.exec("update checkpoints set type = 'msgpack+aes'")
    expect((await fix(path)).map(about)).toEqual([expect.stringContaining('msgpack+aes')])
    database.close()
  }))

test('[D631] LangGraph for Python: a message that changes keeps what is not understood, and every list of a graph is repaired', () =>
  inFolder(async folder => {
    const twice = message('assistant', { calls: [...asks.calls, ...asks.calls] })
    const [first, called, ...rest] = written(user('Go'), twice, result('a', 'one'), user('Next'))
    const [, , fields] = called.content as [string, string, Record<string, unknown>]
    const more = { ...fields, artifact: { ext: 2, content: ['decimal', 'Decimal', ['1.0']] }, score: 2.5 }
    const odd = { ext: 5, content: Object.assign([...(called.content as unknown[])], { 2: more }) }
    const path = store(folder, {
      messages: [first, odd, ...rest],
      agent_messages: written(user('Sub'), asks, user('On')),
    })
    await fix(path)
    const { messages, agent_messages: inner } = newest(path).channel_values as Record<string, { content: unknown[] }[]>
    expect(messages[1].content[2]).toMatchObject({ artifact: more.artifact, score: 2.5 })
    expect(pairingFaults(readThread(path))).toEqual([])
    expect(inner.map(({ content }) => content[1])).toEqual(['HumanMessage', 'AIMessage', 'ToolMessage', 'HumanMessage'])
    expect((await fix(path)).map(state)).toEqual(['healthy', 'healthy'])
  }))

test('[D637] LangGraph for Python in SQLite: a result that a discarded step left in the writes is used', () =>
  inFolder(async folder => {
    const path = store(folder, { messages: written(user('Go'), asks, user('Next')) })
    const database = new DatabaseSync(path)
    const [{ parent }] = database.prepare('select max(parent_checkpoint_id) as parent from checkpoints').all()
    const left = pack(written(result('a', 'the real result')))
    const add = "insert into writes values ('thread-1', '', ?, ?, 0, 'messages', 'msgpack', ?)"
    database.prepare(add).run(parent, 'task', left)
    database.prepare(add).run(parent, 'unreadable', Buffer.concat([Buffer.from([0xdd]), left]))
    database.close()
    const rows = writesIn(path)
    const [found] = await fix(path)
    expect(readThread(path).flatMap(({ results }) => results)).toEqual([{ id: 'a', text: 'the real result' }])
    expect(found).toMatchObject({ examination: { repairs: [{ rule: 'unanswered-call', class: 'lossless' }] } })
    expect((newest(path).channel_values as { messages: Ext[] }).messages[2].content).toMatchObject({
      2: { id: expect.any(String), status: 'success' },
    })
    expect(writesIn(path)).toEqual(rows)
  }))

function writesIn(path: string): unknown[] {
  const database = new DatabaseSync(path)
  const rows = database.prepare('select * from writes').all()
  database.close()
  return rows
}
