import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import type { CallPart, ResultPart } from '../../src/core/conversation.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import { agentFramework } from '../../src/doctor/systems/agent-framework/index.ts'
import { claudeCode } from '../../src/doctor/systems/claude-code/index.ts'
import { foldSession } from '../../src/doctor/systems/gemini-cli/fold.ts'
import { healedMessages } from '../../src/doctor/systems/gemini-cli/healed-messages.ts'
import { HiddenEvents } from '../../src/doctor/systems/google-adk/examine-session.ts'
import { writeChanges } from '../../src/doctor/systems/hermes/row-changes.ts'
import { kimiCli } from '../../src/doctor/systems/kimi-cli/index.ts'
import { langgraph } from '../../src/doctor/systems/langgraph/index.ts'
import { MessagePack } from '../../src/doctor/systems/langgraph/python/msgpack.ts'
import { pythonMessages, readPythonCheckpoint } from '../../src/doctor/systems/langgraph/python/python-checkpoint.ts'
import { openclawSqlite } from '../../src/doctor/systems/openclaw-sqlite/index.ts'
import { about, all, inFolder } from '../doctor/contract.ts'
import { pack, unpack } from '../doctor/systems/langgraph/python/msgpack.ts'
import { root } from '../repository.ts'

const upTo = <T>(length: number, one: (index: number) => T): T[] => Array.from({ length }, (_, index) => one(index))

/** The square of this takes far longer than a test may. */
const many = 150_000

test('[SE221] a session of Gemini CLI is read in time proportional to its lines, with any rewinds and settings', () =>
  inFolder(async folder => {
    const path = join(folder, 'session.jsonl')
    const read = (lines: string[]): readonly { readonly id: string }[] => {
      writeFileSync(path, `${lines.join('\n')}\n`)
      return foldSession(path, () => undefined).messages
    }
    const messages = upTo(many, index => `{"id":"m${index}","type":"user","content":"x"}`)
    const rewinds = upTo(many - 1, index => `{"$rewindTo":"m${many - 1 - index}"}`)
    expect(read([...messages, ...rewinds]).map(({ id }) => id)).toEqual(['m0'])
    expect(read(upTo(many, index => `{"$set":{"k${index}":1}}`))).toEqual([])
    expect(read([messages[0], messages[1], '{"$rewindTo":"m1"}', messages[2]])).toMatchObject([
      { id: 'm0' },
      { id: 'm2' },
    ])
    expect(read([messages[0], '{"$rewindTo":"unknown"}', messages[2]])).toMatchObject([{ id: 'm2' }])
  }))

test('[SE221] the results of a step of Gemini CLI become one message in time proportional to their number', () => {
  const call: CallPart = { kind: 'call', id: 'c', name: 'f', input: {}, callKind: 'function', by: 'client' }
  const result: ResultPart = { kind: 'result', id: 'c', content: 'r', callKind: 'function', by: 'client' }
  const lines = upTo(many, () => ({ kind: 'made' as const, record: 0, call, result }))
  const healed = healedMessages(lines, () => ({ message: { id: 'g', type: 'gemini', content: '' }, parts: [] }))
  expect(healed).toHaveLength(1)
  expect(healed[0]?.content).toHaveLength(many)
})

test('[SE221] which events of Google ADK are hidden is known in time proportional to their number', () => {
  const hidden = new HiddenEvents()
  const events = upTo(many, index => ({
    invocation_id: `i${index}`,
    timestamp: index * 2 + 1,
    actions: {
      rewind_before_invocation_id: index % 3 === 0 ? `i${index - 1}` : undefined,
      compaction: { start_timestamp: index * 2 + (index % 2), end_timestamp: index * 2 },
    },
  }))
  for (const [index, event] of events.entries()) hidden.push(event, index)
  expect(events.slice(0, 7).map((event, index) => hidden.has(event, index))).toEqual([
    false,
    false,
    true,
    true,
    false,
    true,
    true,
  ])
  expect(events.filter((event, index) => hidden.has(event, index)).length).toBeGreaterThan(many / 2)
})

const nested = (head: number, depth: number, values: number): Buffer =>
  Buffer.concat([Buffer.alloc(depth, head), pack(upTo(values, () => null)), Buffer.alloc(depth, 0xc0)])

test.each([
  ['lists', 0x91],
  ['keys of maps', 0x81],
])('[SE222] MessagePack is read in time proportional to its length, with deep %s', (_, head) => {
  const bytes = nested(head, 150, 1_000)
  const spy = vi.spyOn(Buffer.prototype, 'readUInt8')
  try {
    new MessagePack(bytes).value(0)
    expect(spy.mock.calls.length).toBeLessThan(5 * bytes.length)
  } finally {
    spy.mockRestore()
  }
})

const message = (module: string, name: string, fields: object): object => ({
  ext: 5,
  content: [module, name, { content: '', id: null, ...fields }, 'model_validate_json'],
})
const human = message('langchain_core.messages.human', 'HumanMessage', { type: 'human' })
const asking = (...ids: string[]): object =>
  message('langchain_core.messages.ai', 'AIMessage', {
    type: 'ai',
    tool_calls: ids.map(id => ({ name: 'f', args: {}, id, type: 'tool_call' })),
  })

const checkpoint = (messages: object[]): Buffer =>
  pack({ v: 4, channel_values: { messages }, channel_versions: {}, versions_seen: {} })

/** A store of LangGraph for Python with one thread. */
function threadOf(folder: string, blob: Buffer): string {
  const path = join(folder, 'checkpoints.sqlite')
  const database = new DatabaseSync(path)
  database.exec(`
    create table checkpoints (thread_id text not null, checkpoint_ns text not null default '', checkpoint_id text not null,
      parent_checkpoint_id text, type text, checkpoint blob, metadata blob, primary key (thread_id, checkpoint_ns, checkpoint_id));
    create table writes (thread_id text not null, checkpoint_ns text not null default '', checkpoint_id text not null,
      task_id text not null, idx integer not null, channel text not null, type text, value blob,
      primary key (thread_id, checkpoint_ns, checkpoint_id, task_id, idx))`)
  database
    .prepare("insert into checkpoints (thread_id, checkpoint_id, type, checkpoint) values ('t', '1', 'msgpack', ?)")
    .run(blob)
  database.close()
  return path
}

test('[SE222] new messages of LangGraph for Python are written in time proportional to their number', () => {
  const made = { id: ['langchain_core', 'messages', 'ToolMessage'], kwargs: { id: 'x' } }
  const list = pythonMessages(readPythonCheckpoint(checkpoint(upTo(50_000, () => human)), ''), 'messages', '')
  expect(upTo(50_000, () => list.write({ ...made })).length).toBe(list.messages.length)
})

test('[SE222] a value of LangGraph for Python that is nested too deeply is reported in one line', () =>
  inFolder(async folder => {
    const deep = upTo(300, () => 0).reduce<object>(list => [list], [])
    const path = threadOf(folder, checkpoint([message('langchain_core.messages.ai', 'AIMessage', { deep })]))
    const found = await all(examineStores([path], { systems: [langgraph] }))
    expect(found.map(about).join()).toContain('its checkpoint is not the msgpack')
  }))

test('[SE223] a message of LangGraph for Python keeps its class, also if messages have no ids', () =>
  inFolder(async folder => {
    const own = message('shop.messages', 'OrderMessage', { type: 'ai', tool_calls: [] })
    const path = threadOf(folder, checkpoint([human, own, asking('a', 'a'), human]))
    await all(examineStores([path], { systems: [langgraph], fix: true, backups: join(folder, 'backups') }))
    const database = new DatabaseSync(path)
    const blob = Buffer.from(database.prepare('select checkpoint from checkpoints').get()?.checkpoint as Uint8Array)
    database.close()
    const { messages } = (unpack(blob) as { channel_values: { messages: { content: unknown[] }[] } }).channel_values
    expect(messages.map(({ content: [module, name] }) => `${module}.${name}`)).toEqual([
      'langchain_core.messages.human.HumanMessage',
      'shop.messages.OrderMessage',
      'langchain_core.messages.ai.AIMessage',
      'langchain_core.messages.tool.ToolMessage',
      'langchain_core.messages.human.HumanMessage',
    ])
  }))

test('[SE224] compressed events of an OpenClaw database cannot fill the disk', () =>
  inFolder(async folder => {
    const path = join(folder, 'openclaw-agent.sqlite')
    const database = new DatabaseSync(path)
    const sample = 'openclaw-sqlite/samples/broken/store/agents/main/agent/openclaw-agent.sql'
    database.exec(readFileSync(join(root, 'test/doctor/systems', sample), 'utf8'))
    const packed = zstdCompressSync(JSON.stringify({ type: 'custom', text: 'a'.repeat(4_000_000) }))
    database.exec('pragma ignore_check_constraints = on')
    const insert = database.prepare(
      `insert into transcript_events (session_id, seq, event_zstd, created_at)
       select session_id, max(seq) + 1, ?, created_at from transcript_events group by session_id`,
    )
    for (let count = 0; count < 30; count++) insert.run(packed)
    database.close()
    const found = await all(examineStores([path], { systems: [openclawSqlite] }))
    expect(found.map(about).join()).toContain('far more text than its size justifies')
  }))

test('[SE225] many rows are added to a session of hermes-agent without a search through the session for each', () =>
  inFolder(async folder => {
    const database = new DatabaseSync(join(folder, 'state.db'))
    database.exec(readFileSync(join(root, 'test/doctor/systems/hermes/samples/broken/store/state.sql'), 'utf8'))
    const lookUp =
      'explain query plan select display_order from messages where session_id = ? and display_identity = ? order by display_order limit 1'
    const planOf = () =>
      database
        .prepare(lookUp)
        .all('', '')
        .map(({ detail }) => detail)
    const before = planOf()
    const plans: unknown[] = []
    const { exec } = database
    vi.spyOn(database, 'exec').mockImplementation(sql => {
      exec.call(database, sql)
      plans.push(...planOf())
    })
    const row = { id: 3, role: 'tool', content: 'r', tool_call_id: 'c', tool_name: 'f', calls: [] }
    const changes = { inactive: [], added: upTo(50, () => ({ row, isNew: true })), calls: 0 }
    writeChanges(database, '20260812_101500_3f9a2c', changes)
    expect(plans[0]).toMatch(/SEARCH .*session_id=\? AND display_identity=\?/)
    expect(planOf()).toEqual(before)
    const seen = plans.length
    writeChanges(database, '20260812_101500_3f9a2c', { ...changes, added: changes.added.slice(0, 5) })
    expect(plans).toHaveLength(seen)
    database.close()
  }))

const calls = upTo(500, index => ({ type: 'function', id: `c${index}`, function: { name: 'f', arguments: '{}' } }))
const uses = upTo(500, index => ({ type: 'tool_use', id: `toolu_${index}`, name: 'f', input: {} }))
const session = 'a0000000-0000-4000-8000-000000000000'
const record = (index: number, type: string, content: unknown): object => ({
  parentUuid: index === 0 ? null : `00000000-0000-4000-8000-00000000000${index - 1}`,
  ...{ sessionId: session, cwd: '/home', version: '2.0.0', isSidechain: false, userType: 'external', type },
  message: { role: type, content, ...(type === 'assistant' && { id: 'msg_1', type: 'message', model: 'claude' }) },
  ...{ uuid: `00000000-0000-4000-8000-00000000000${index}`, timestamp: '2026-08-12T10:15:00.000Z' },
})

test.each([
  [
    kimiCli,
    'context.jsonl',
    [
      { role: '_system_prompt', content: 'x' },
      { role: 'user', content: 'x' },
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'user', content: 'y' },
    ],
  ],
  [
    agentFramework,
    'history.jsonl',
    [
      { type: 'message', role: 'user', contents: [{ type: 'text', text: 'x' }], additional_properties: {} },
      {
        type: 'message',
        role: 'assistant',
        contents: upTo(500, index => ({ type: 'function_call', call_id: `c${index}`, name: 'f', arguments: '{}' })),
        additional_properties: {},
      },
      { type: 'message', role: 'user', contents: [{ type: 'text', text: 'y' }], additional_properties: {} },
    ],
  ],
  [claudeCode, `${session}.jsonl`, [record(0, 'user', 'x'), record(1, 'assistant', uses), record(2, 'user', 'y')]],
])(
  '[SE226] $id: a record is parsed a bounded number of times, however many results are made',
  (system, name, records) =>
    inFolder(async folder => {
      const path = join(folder, name)
      const text = records.map(one => `${JSON.stringify(one)}\n`).join('')
      writeFileSync(path, text)
      const spy = vi.spyOn(JSON, 'parse')
      try {
        await all(examineStores([path], { systems: [system], fix: true, backups: join(folder, 'backups') }))
        const parsed = spy.mock.calls.reduce((sum, [one]) => sum + String(one).length, 0)
        expect(parsed).toBeLessThan(50 * text.length)
      } finally {
        spy.mockRestore()
      }
      expect(readFileSync(path, 'utf8').match(/"tool_(call|use)_id":|"function_result"/g)).toHaveLength(500)
    }),
)
