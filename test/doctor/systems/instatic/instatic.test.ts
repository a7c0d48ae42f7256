import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { instatic } from '../../../../src/doctor/systems/instatic/index.ts'
import { bytesOf, describeSystem, inFolder } from '../../contract.ts'
import { refusals } from './accepted.ts'
import { heal, loadSample, only, rulesOf, see } from './helpers.ts'
import { subject } from './subject.ts'
import { chatsIn, dumpSqlite, runSql, sqliteTables, writeSqlite } from './tables.ts'

describeSystem(subject)

describe('samples', () => {
  test.each(['healthy', 'legacy'])('[DI1] %s stays byte for byte', name =>
    inFolder(async folder => {
      const path = loadSample(name, folder)
      const before = bytesOf(folder)
      const found = only(await heal(path, folder))
      expect(found.examination).toMatchObject({ state: 'healthy', repairs: [], remaining: [], dropped: [] })
      expect(bytesOf(folder)).toEqual(before)
    }),
  )

  test.each([
    [
      '',
      { calls: 1, results: 4, orphans: 3, unanswered: 0 },
      [
        ...['orphan-result at position 90', 'orphan-result at position 91', 'orphan-result at position 92'],
        'warning: repeated-user-message at position 89',
      ],
    ],
    [
      '-late',
      { calls: 3, results: 2, orphans: 0, unanswered: 1 },
      ['interleaved-message at position 4', 'unanswered-call at position 8'],
    ],
  ])('[DI1] broken%s is diagnosed, and repaired as expected', (name, counts, rules) =>
    inFolder(async folder => {
      const path = loadSample(`broken${name}`, folder)
      const found = only(await heal(path, folder))
      expect(found.examination).toMatchObject({ state: 'broken', counts })
      expect(rulesOf(found)).toEqual(rules)
      expect(dumpSqlite(path)).toEqual(dumpSqlite(loadSample(`healed${name}`, folder)))
      const [rows] = chatsIn(dumpSqlite(path)).values()
      expect(refusals(rows)).toEqual([])
    }),
  )

  test('[DI1] what is dropped is in the report, with its content and the error message of the provider', () =>
    inFolder(async folder => {
      const { examination } = only(await see(loadSample('broken', folder)))
      expect(examination.dropped.map(({ at, rule }) => `${rule} at ${at}`)).toEqual(
        [90, 91, 92].map(position => `orphan-result at position ${position}`),
      )
      expect(JSON.parse(examination.dropped[0].content)).toEqual({
        id: 'msg_00000000000000090',
        position: 90,
        role: 'tool',
        content_json: '[{"kind":"toolResult","ok":true}]',
        tool_call_id: 'call_37ac',
        tool_name: 'read_document',
        created_at: '2026-06-28T09:20:00.000Z',
      })
      expect(examination.repairs[0].refusal).toContain("messages with role 'tool' must be a response to")
    }))
})

describe('rows', () => {
  test('[DI2] rows move under the unique index, and only those that have to', () =>
    inFolder(async folder => {
      const path = chat(folder, [
        user(10, 'go'),
        call(11, 'A'),
        call(12, 'B'),
        user(13, 'and?'),
        text(14, 'well'),
        result(15, 'B'),
        result(16, 'A'),
        user(20, 'thanks'),
      ])
      await heal(path, folder)
      expect(positions(path)).toEqual(['10 r10', '11 r11', '12 r12', '13 r16', '14 r15', '15 r13', '16 r14', '20 r20'])
    }))

  test('[DI2] a made-up row is one that Instatic could have written, also in an old table', () =>
    inFolder(async folder => {
      const path = chat(folder, [user(0, 'go'), call(1, 'A'), user(2, 'and?')], sqliteTables('caching'))
      await heal(path, folder)
      expect(dumpSqlite(path).ai_messages[2]).toEqual({
        id: expect.stringMatching(/^[A-Za-z0-9_-]{21}$/),
        conversation_id: 'chat',
        position: 2,
        role: 'tool',
        content_json:
          '[{"kind":"toolResult","ok":false,"error":"Tool call did not complete — the previous turn was interrupted before a result was produced."}]',
        tool_call_id: 'A',
        tool_name: 'insertHtml',
        prompt_tokens: 0,
        completion_tokens: 0,
        cost_usd: 0,
        created_at: '2026-06-01T09:00:01.000Z',
      })
    }))

  test('[DI2] a real result replaces the interrupted one, and other columns stay', () =>
    inFolder(async folder => {
      const failed = result(2, 'A').replace(
        '"ok":true',
        '"ok":false,"error":"Tool call did not complete — the previous turn was interrupted before a result was produced."',
      )
      const path = chat(folder, [user(0, 'go'), call(1, 'A'), failed, user(3, 'and?'), result(4, 'A')])
      runSql(path, "alter table ai_messages add column mood text; update ai_messages set mood = 'calm ' || id")
      await heal(path, folder)
      expect(positions(path)).toEqual(['0 r0', '1 r1', '2 r4', '3 r3'])
      expect(dumpSqlite(path).ai_messages[2]).toMatchObject({
        mood: 'calm r4',
        content_json: '[{"kind":"toolResult","ok":true}]',
      })
    }))

  test('[DI2] a truncated call keeps what is left of it, and text stays unchanged', () =>
    inFolder(async folder => {
      const cut = call(1, 'A').replace(/'\[.*\]'/, `'[{"kind":"toolCall","toolCallId":"A","inp'`)
      const double = text(3, 'x').replace(
        /'\[.*\]'/,
        `'[ {"kind":"text","text":"caf\\u00e9", "n":1.0e0}, {"kind":"text","text":""}]'`,
      )
      const path = chat(folder, [user(0, 'go'), cut, result(2, 'A'), double])
      await heal(path, folder)
      const rows = dumpSqlite(path).ai_messages.map(row => (row as { content_json: string }).content_json)
      expect(rows[1]).toBe(
        '[{"kind":"toolCall","toolCallId":"A","toolName":"insertHtml","input":{"_cut_off":"[{\\"kind\\":\\"toolCall\\",\\"toolCallId\\":\\"A\\",\\"inp"}}]',
      )
      expect(rows[3]).toBe('[ {"kind":"text","text":"caf\\u00e9", "n":1.0e0}]')
    }))

  test('[DI3] results of before June 2026 are results, and stay in their form', () =>
    inFolder(async folder => {
      const legacy = result(4, 'A').replace(/'\[.*\]'/, `'[{"kind":"text","text":""}]'`)
      const path = chat(folder, [user(0, 'go'), call(1, 'A'), user(3, 'and?'), legacy])
      const { examination } = only(await heal(path, folder))
      expect(examination.notes).toEqual([expect.stringContaining('1 result is in the form of before June 2026')])
      expect(positions(path)).toEqual(['0 r0', '1 r1', '2 r4', '3 r3'])
      expect(dumpSqlite(path).ai_messages[2]).toMatchObject({ content_json: '[{"kind":"text","text":""}]' })
    }))

  test('[DI4] what the chat mapper does to healthy rows is reported, and the rows are left alone', () =>
    inFolder(async folder => {
      const path = loadSample('healthy', folder)
      const [rows] = chatsIn(dumpSqlite(path)).values()
      expect(refusals(rows)).toEqual([])
      expect(refusals(rows, ['openai-chat'])[0]).toContain('oc-user-between')
      const { examination } = only(await see(path))
      expect(examination).toMatchObject({
        state: 'healthy',
        notes: [expect.stringContaining('one message per row to openai-compatible')],
      })
    }))

  test('[DI4] text between two calls of a step is in the right place', () =>
    inFolder(async folder => {
      const path = chat(folder, [
        user(0, 'go'),
        call(1, 'A'),
        text(2, 'and'),
        call(3, 'B'),
        result(4, 'B'),
        result(5, 'A'),
      ])
      expect(only(await see(path)).examination).toMatchObject({ state: 'healthy', repairs: [] })
    }))

  test('[DI13] a chat for Anthropic with ids that it rejects gets new ones', () =>
    inFolder(async folder => {
      const ids = ['functions.edit:0', 'functions.edit:1']
      const turns = ids.flatMap((id, turn) => [user(3 * turn, 'go'), call(3 * turn + 1, id), result(3 * turn + 2, id)])
      const path = chat(folder, [...turns, user(6, 'and')])
      expect(only(await heal(path, folder)).examination.state).toBe('broken')
      const [rows] = chatsIn(dumpSqlite(path)).values()
      expect(refusals(rows)).toEqual([])
      expect(new Set(rows.map(({ tool_call_id }) => tool_call_id)).size).toBe(3)
    }))

  test('[DI13] ids that other providers take stay as they are', () =>
    inFolder(async folder => {
      const path = chat(folder, [user(0, 'go'), call(1, 'a:0'), result(2, 'a:0'), call(3, 'a:0'), result(4, 'a:0')])
      runSql(path, "update ai_provider_credentials set provider_id = 'ollama'")
      expect(only(await see(path)).examination).toMatchObject({ state: 'healthy', notes: [] })
    }))

  test('[DI4] two calls in one row are not a split step, and blocks of unknown kinds are reported', () =>
    inFolder(async folder => {
      const blocks = ['A', 'B'].map(id => ({ kind: 'toolCall', toolCallId: id, toolName: 'insertHtml', input: {} }))
      const rows = [user(0, 'go'), row(1, 'assistant', blocks), result(2, 'A'), result(3, 'B')]
      const path = chat(folder, [...rows, row(4, 'assistant', [{ kind: 'hologram' }])])
      runSql(path, "update ai_provider_credentials set provider_id = 'ollama'")
      expect(only(await see(path)).examination).toMatchObject({
        state: 'healthy',
        notes: [expect.stringMatching(/^position 4 has a block of a kind that is not known here/)],
      })
    }))

  test('[DI5] it is found at DATABASE_URL, if there are chats', () =>
    inFolder(async folder => {
      loadSample('healthy', folder)
      runSql(join(folder, 'other.db'), 'create table posts (id)')
      const placesFor = (url?: string): readonly string[] =>
        instatic.places({ home: folder, folder, platform: 'linux', environment: { DATABASE_URL: url } })
      const path = join(folder, 'healthy.db')
      for (const url of ['sqlite:./healthy.db', 'file:healthy.db', path]) expect(placesFor(url), url).toEqual([path])
      for (const url of [undefined, 'sqlite:other.db', 'sqlite:none.db', 'mysql://a/b'])
        expect(placesFor(url)).toEqual([])
      expect(placesFor('postgres://a/b')).toEqual([])
      mkdirSync(join(folder, 'server/ai/conversations'), { recursive: true })
      expect(placesFor('postgres://a/b')).toEqual(['postgres://a/b'])
      mkdirSync(join(folder, '.tmp'))
      cpSync(path, join(folder, '.tmp/dev.db'))
      expect(placesFor()).toEqual([join(folder, '.tmp/dev.db')])
    }))

  test('[DI5] chats in the bin are passed over', () =>
    inFolder(async folder => {
      const path = loadSample('broken', folder)
      runSql(path, "update ai_conversations set deleted_at = '2026-07-01 09:00:00'")
      expect(await see(path)).toEqual([])
    }))
})

const user = (position: number, words: string): string => row(position, 'user', [{ kind: 'text', text: words }])
const text = (position: number, words: string): string => row(position, 'assistant', [{ kind: 'text', text: words }])
const call = (position: number, id: string): string =>
  row(position, 'assistant', [{ kind: 'toolCall', toolCallId: id, toolName: 'insertHtml', input: {} }], id)
const result = (position: number, id: string): string => row(position, 'tool', [{ kind: 'toolResult', ok: true }], id)

function row(position: number, role: string, blocks: unknown[], id?: string): string {
  const time = new Date(Date.UTC(2026, 5, 1, 9, 0, position)).toISOString()
  const call = id === undefined ? 'null, null' : `'${id}', 'insertHtml'`
  return `insert into ai_messages (id, conversation_id, position, role, content_json, tool_call_id, tool_name, created_at)
    values ('r${position}', 'chat', ${position}, '${role}', '${JSON.stringify(blocks)}', ${call}, '${time}');`
}

/** A database with one chat. */
function chat(folder: string, rows: readonly string[], tables = sqliteTables()): string {
  const path = join(folder, 'site.db')
  writeSqlite(path, { chats: [{ id: 'chat', title: 'A chat', provider: 'anthropic', rows: [] }] }, tables)
  runSql(path, rows.join('\n'))
  return path
}

const positions = (path: string): string[] =>
  (dumpSqlite(path).ai_messages as { position: number; id: string }[]).map(({ position, id }) => `${position} ${id}`)
