import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import { recordsInLine } from '../../src/doctor/linked/records-in-line.ts'
import { isLinked } from '../../src/doctor/systems/claude-code/tree.ts'
import { rolloutPieces as codexPieces } from '../../src/doctor/systems/codex/recover-records.ts'
import { langgraph } from '../../src/doctor/systems/langgraph/index.ts'
import { about, all, inFolder } from '../doctor/contract.ts'
import { subject as instaticSubject } from '../doctor/systems/instatic/subject.ts'
import { inDatabase as opencodeSubject } from '../doctor/systems/opencode/subject.ts'
import { root } from '../repository.ts'

/** How many characters were parsed as JSON meanwhile. */
async function parsedIn(run: () => unknown): Promise<number> {
  const spy = vi.spyOn(JSON, 'parse')
  try {
    await run()
    return spy.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0)
  } finally {
    spy.mockRestore()
  }
}

const call = (id: string, message: string): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', 'AIMessage'],
  kwargs: { id: message, content: '', tool_calls: [{ name: 't', args: {}, id, type: 'tool_call' }] },
})

const result = (id: string): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', 'ToolMessage'],
  kwargs: { content: 'r', tool_call_id: id },
})

type Row = Record<string, SQLInputValue>

/** A thread with these channels in its newest checkpoint, and these rows written after it. */
function makeThread(path: string, channels: Record<string, object[]>, written: { channel: string; value: object[] }[]) {
  const database = new DatabaseSync(path)
  database.exec(readFileSync(join(root, 'test/doctor/systems/langgraph/samples/broken.sql'), 'utf8'))
  const row = database.prepare("select * from checkpoints where type = 'json' limit 1").get() as Row
  database.exec('delete from checkpoints; delete from writes')
  const insert = (table: string, values: Row): void =>
    void database
      .prepare(`insert into ${table} (${Object.keys(values)}) values (${Object.keys(values).map(() => '?')})`)
      .run(...Object.values(values))
  const checkpoint = JSON.parse(Buffer.from(row.checkpoint as Uint8Array).toString())
  checkpoint.channel_values = channels
  insert('checkpoints', { ...row, checkpoint: Buffer.from(JSON.stringify(checkpoint)) })
  const { thread_id, checkpoint_ns, checkpoint_id } = row
  database.exec('begin')
  for (const [index, { channel, value }] of written.entries())
    insert('writes', {
      ...{ thread_id, checkpoint_ns, checkpoint_id, task_id: `t${index}`, idx: 0, channel, type: 'json' },
      value: Buffer.from(JSON.stringify(value)),
    })
  database.exec('commit')
  database.close()
}

const numbers = (length: number): number[] => Array.from({ length }, (_, at) => at)

const threads: Record<string, (path: string, length: number) => void> = {
  'one id for all calls and all rows': (path, length) =>
    makeThread(
      path,
      { messages: numbers(length).map(at => call('c', `m${at}`)) },
      numbers(length).map(() => ({ channel: 'messages', value: [result('c')] })),
    ),
  'all results in one row': (path, length) =>
    makeThread(path, { messages: numbers(length).map(at => call(`c${at}`, `m${at}`)) }, [
      { channel: 'messages', value: numbers(length).map(at => result(`c${at}`)) },
    ]),
  'as many channels as it has messages, with a row for each': (path, length) =>
    makeThread(
      path,
      Object.fromEntries([['messages', []], ...numbers(length).map(at => [`n${at}`, [call('c', `m${at}`)]])]),
      numbers(length).map(at => ({ channel: `n${at}`, value: [result('c')] })),
    ),
}

describe('the doctor reads no more than a store is long', () => {
  test.each(Object.entries(threads))('[SE71] a LangGraph thread: %s', (_, make) =>
    inFolder(async folder => {
      const parsed: number[] = []
      for (const length of [20, 40, 80]) {
        const path = join(folder, `${length}.db`)
        make(path, length)
        parsed.push(
          await parsedIn(async () => {
            const visits = await all(examineStores([path], { systems: [langgraph] }))
            expect(visits.filter(one => one.kind === 'conversation').length).toBeGreaterThan(0)
          }),
        )
      }
      expect(parsed[1]).toBeLessThan(2.5 * parsed[0])
      expect(parsed[2]).toBeLessThan(2.5 * parsed[1])
    }),
  )

  const linked = '{"uuid":"u","timestamp":"t"}'
  test.each([
    ['a torn list, and many records', `{"a":[${'0,'.repeat(20_000)}0],"x":${linked.repeat(2_000)}`],
    ['many records', linked.repeat(4_000)],
    ['many beginnings', `${'{"a":'.repeat(2_000)}"${'x'.repeat(20_000)}"`],
    ['many beginnings and ends', `{"${'{"a":'.repeat(2_000)}"${'x'.repeat(20_000)}"${'}'.repeat(2_000)}`],
    ['many records that are not linked', '{"a":"b"}'.repeat(4_000)],
  ])('[SE71] a line of Claude Code: %s', async (_, line) => {
    const bytes = Buffer.from(line)
    expect(await parsedIn(() => recordsInLine(bytes, isLinked))).toBeLessThanOrEqual(3 * line.length)
  })

  const opening = '{"timestamp":"'
  test.each([
    ['many beginnings', `${`${opening}","a":`.repeat(32)}"${'x'.repeat(20_000)}"`],
    ['many beginnings and ends', `${`${opening}","a":`.repeat(32)}"${'x'.repeat(20_000)}"${'}'.repeat(32)}]`],
    ['ends that are wrong inside', `${`${opening}","a":`.repeat(32)}tru,${'0,'.repeat(9_000)}${'}'.repeat(32)}`],
  ])('[SE71] a line of Codex: %s', async (_, line) => {
    const lines = [{ bytes: Buffer.from(line), ending: '\n' as const }]
    expect(await parsedIn(() => [...codexPieces(lines)])).toBeLessThanOrEqual(10 * line.length)
  })
})

describe('a database without its indexes', () => {
  /** Copies a conversation under other ids, with no message in any of them. */
  function prepare(path: string, table: string, copies: number): void {
    const database = new DatabaseSync(path)
    database.exec('pragma foreign_keys = off')
    const indexes = "select name from sqlite_schema where type = 'index' and sql is not null"
    for (const { name } of database.prepare(indexes).all()) database.exec(`drop index "${name}"`)
    const row = database.prepare(`select * from ${table} limit 1`).get() as Row
    for (const at of numbers(copies)) {
      const fresh: Row = { ...row, id: `zz_${at}`, ...('slug' in row && { slug: `slug-${at}` }) }
      database
        .prepare(
          `insert into ${table} (${Object.keys(fresh).map(name => `"${name}"`)}) values (${Object.keys(fresh).map(() => '?')})`,
        )
        .run(...Object.values(fresh))
    }
    database.close()
  }

  /** How many statements read all rows of a table, by what the database says that it does. */
  function scansIn(path: string, statements: readonly string[], tables: readonly string[]): number {
    const database = new DatabaseSync(path, { readOnly: true })
    const plans = statements.flatMap(sql => {
      if (!/^\s*select\b/i.test(sql)) return []
      return database
        .prepare(`explain query plan ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
    })
    database.close()
    return plans.filter(detail => tables.some(table => detail.startsWith(`SCAN ${table}`))).length
  }

  test.each([
    ['opencode', opencodeSubject, 'session', ['message', 'part']],
    ['instatic', instaticSubject, 'ai_conversations', ['ai_messages']],
  ] as const)('[SE74] %s: a table is read once, not once for each conversation', (_, subject, table, tables) =>
    inFolder(async folder => {
      const counts: number[] = []
      for (const copies of [3, 30]) {
        const place = join(folder, String(copies))
        mkdirSync(place)
        const path = await subject.corrupted(20261116, place)
        const found = async (): Promise<string[]> =>
          (await all(examineStores([path], { systems: [subject.system] })))
            .map(about)
            .filter(line => !line.startsWith('zz_'))
        const before = await found()
        expect(before.length).toBeGreaterThan(0)
        prepare(path, table, copies)
        const spy = vi.spyOn(DatabaseSync.prototype, 'prepare')
        try {
          expect(await found()).toEqual(before)
          const statements = spy.mock.calls.map(([sql]) => sql)
          spy.mockRestore()
          counts.push(scansIn(path, statements, tables))
        } finally {
          spy.mockRestore()
        }
        const healed = await all(
          examineStores([path], { systems: [subject.system], fix: true, backups: join(folder, 'backups') }),
        )
        expect(healed.filter(one => one.kind === 'conversation' && one.failure)).toEqual([])
        expect(await subject.refusals(path)).toEqual([])
      }
      expect(counts[0]).toBeGreaterThan(0)
      expect(counts[1]).toBe(counts[0])
    }),
  )
})

/** What a line is parted into, by trying every beginning from its end: slow, and plain. */
function partedSlowly(line: string): { start: number; end: number; isWhole: boolean }[] {
  const pieces: { start: number; end: number; isWhole: boolean }[] = []
  let end = line.length
  for (let start = line.lastIndexOf('{"', end - 1); start > 0; start = line.lastIndexOf('{"', start - 1)) {
    const value = attempt(line.slice(start, end)) as { uuid?: unknown; timestamp?: unknown } | undefined
    if (typeof value?.uuid !== 'string' || typeof value.timestamp !== 'string') continue
    pieces.unshift({ start, end, isWhole: true })
    end = start
    if (attempt(line.slice(0, end)) !== undefined) return [{ start: 0, end, isWhole: true }, ...pieces]
  }
  return pieces.length === 0 ? [] : [{ start: 0, end, isWhole: false }, ...pieces]
}

function attempt(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

test('[SE71] a line of Claude Code is parted where every beginning that was tried would part it', () => {
  const parts = [
    ...[
      '{"uuid":"u","timestamp":"t"}',
      '{"uuid":"u","timestamp":"}{\\""}',
      '{"a":"b\\\\"}',
      '{"a":[{"b":1}]}',
      ' ',
      '{',
    ],
    ...['"', '\\', '{"uuid":"u","timestamp":"t","x":{"uuid":"v","timestamp":"w"}}', '}', '[1]', '12', '{"uuid":"to'],
  ]
  let seed = 20261116
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  let parted = 0
  for (let run = 0; run < 20_000; run++) {
    const line = numbers(1 + next(7))
      .map(() => parts[next(parts.length)])
      .join('')
    if (attempt(line) !== undefined) continue
    const found = recordsInLine(Buffer.from(line), isLinked).map(({ start, end, value }) => ({
      ...{ start, end },
      isWhole: value !== undefined,
    }))
    expect({ line, found }).toEqual({ line, found: partedSlowly(line) })
    if (found.length > 0) parted++
  }
  expect(parted).toBeGreaterThan(2_000)
})
