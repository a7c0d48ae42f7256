import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { restore } from '../../../../src/doctor/backup/restore.ts'
import { instatic } from '../../../../src/doctor/systems/instatic/index.ts'
import { bytesOf, inFolder } from '../../contract.ts'
import { complaint, heal, loadSample, only, see } from './helpers.ts'
import { dumpSqlite, runSql, writeSqlite } from './tables.ts'

describe('a database that others have open', () => {
  test('[DI6] rows that are only in the log are seen, repaired and restored byte for byte', () =>
    inFolder(async folder => {
      const live = loadSample('broken', folder)
      using server = new DatabaseSync(live)
      server.exec("update ai_messages set tool_name = 'renamed' where position = 92")
      const path = join(folder, 'left', 'site.db')
      mkdirSync(join(folder, 'left'))
      for (const suffix of ['', '-wal', '-shm']) copyFileSync(live + suffix, path + suffix)
      const before = bytesOf(join(folder, 'left'))
      const { examination } = only(await see(path))
      expect(examination).toMatchObject({ state: 'broken', counts: { orphans: 3 } })
      expect(bytesOf(join(folder, 'left'))).toEqual(before)
      const { backup } = only(await heal(path, folder))
      expect(dumpSqlite(path).ai_messages).toHaveLength(7)
      await restore(backup as string, [instatic])
      expect(bytesOf(join(folder, 'left'))).toEqual(before)
    }))

  test('[DI6] a server that only has it open sees the repaired rows', () =>
    inFolder(async folder => {
      const path = loadSample('broken', folder)
      using server = new DatabaseSync(path)
      const count = server.prepare('select count(*) as count from ai_messages')
      expect(count.get()).toEqual({ count: 10 })
      await heal(path, folder)
      expect(count.get()).toEqual({ count: 7 })
    }))

  test('[DI6] one that is locked is left alone, with one clear line', () =>
    inFolder(async folder => {
      const path = loadSample('broken', folder)
      using server = new DatabaseSync(path)
      server.exec('begin immediate')
      expect(complaint(await heal(path, folder))).toBe(`${path}: it is locked by another program`)
      server.exec('commit')
      expect(dumpSqlite(path).ai_messages).toHaveLength(10)
      expect(existsSync(join(folder, '..', 'backups'))).toBe(true)
    }))

  test('[DI6] one that is written to between the look and the change is left alone', () =>
    inFolder(async folder => {
      const path = loadSample('broken', folder)
      const store = await instatic.open(path, { now: Date.now() })
      for await (const chat of store.conversations()) {
        const { storeRepair } = await chat.examine()
        runSql(path, "update ai_conversations set title = 'Renamed'")
        await expect(storeRepair?.apply()).rejects.toThrow('it is being written to, so it was left as it is')
      }
      await store.close()
      expect(dumpSqlite(path).ai_messages).toHaveLength(10)
    }))
})

describe('an interrupted repair', () => {
  test('[DI8] killed at any statement, it leaves the old rows or the new ones', () =>
    inFolder(async folder => {
      const path = loadSample('broken-late', folder)
      const old = dumpSqlite(path)
      const seen: Record<string, unknown[]>[] = []
      const look = (): void => {
        const copy = join(folder, `moment-${seen.length}.db`)
        for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
        seen.push(dumpSqlite(copy))
      }
      await atEveryStatement(look, () => heal(path, folder))
      const healed = dumpSqlite(path)
      expect(seen.length).toBeGreaterThan(6)
      const whole = [old, healed].map(dump => JSON.stringify(dump))
      expect(seen.filter(dump => !whole.includes(JSON.stringify(dump)))).toEqual([])
      expect(seen.filter(dump => JSON.stringify(dump) === whole[0]).length).toBeGreaterThan(6)
      expect(healed).not.toEqual(old)
      look()
      expect(seen.at(-1)).toEqual(healed)
    }))

  test('[DI8] on a full disk nothing is changed, and one clear line says so', () =>
    inFolder(async folder => {
      const path = join(folder, 'site.db')
      writeSqlite(path, { chats: [manyOpenCalls] })
      const before = dumpSqlite(path)
      const blocks = Math.ceil((statSync(path).size * 1.1) / 512)
      const child = join(import.meta.dirname, 'heal-child.ts')
      const run = ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, child, path, folder]
      const { stdout, stderr, signal } = spawnSync('sh', run, { encoding: 'utf8' })
      expect({ signal, stderr, stdout }).toEqual({
        signal: null,
        stderr: '',
        stdout: expect.stringMatching(
          /^\S+site\.db: (there is no space left|it cannot grow: no space, a quota, or a limit on file sizes)(: its former content is in \S+)?\n$/,
        ),
      })
      expect(dumpSqlite(path)).toEqual(before)
    }))
})

describe('an unsound database', () => {
  test.each<[string, (path: string) => void, RegExp]>([
    ['is empty', path => writeFileSync(path, ''), /: the file is empty$/],
    ['is cut off', path => writeFileSync(path, readFileSync(path).subarray(0, 9_000)), /: the database is damaged$/],
    ['is damaged', path => writeFileSync(path, holed(readFileSync(path))), /: the database is damaged$/],
    [
      'has other tables',
      path => runSql(path, 'drop table ai_messages'),
      /: it is not a store of (instatic|a known system)$/,
    ],
  ])('[DI9] a file that %s gets one clear line', (_, spoil, line) =>
    inFolder(async folder => {
      const path = loadSample('broken', folder)
      spoil(path)
      const before = bytesOf(folder)
      const said = complaint(await heal(path, folder))
      expect(said).toMatch(line)
      expect(said).not.toContain('\n')
      expect(bytesOf(folder)).toEqual(before)
    }),
  )
})

/** Every page after the first is noise. */
function holed(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, 4_096), Buffer.alloc(bytes.length - 4_096, 0x5a)])
}

/** A chat whose repair needs more space than there is. */
const manyOpenCalls = {
  id: 'chat',
  title: 'Many open calls',
  provider: 'openai',
  rows: Array.from({ length: 4_000 }, (_, position) => ({
    id: `r${position}`,
    conversation_id: 'chat',
    position,
    role: position % 2 === 0 ? 'user' : 'assistant',
    content_json:
      position % 2 === 0
        ? '[{"kind":"text","text":"again"}]'
        : `[{"kind":"toolCall","toolCallId":"c${position}","toolName":"read","input":{}}]`,
    tool_call_id: position % 2 === 0 ? null : `c${position}`,
    tool_name: position % 2 === 0 ? null : 'read',
    prompt_tokens: 0,
    completion_tokens: 0,
    cost_usd: 0,
    created_at: '2026-06-01T09:00:00.000Z',
  })),
}

/** Runs work with `before` called before every statement that may change a database. */
async function atEveryStatement(before: () => void, work: () => Promise<unknown>): Promise<void> {
  const { run } = StatementSync.prototype
  const { exec } = DatabaseSync.prototype
  let isInside = false
  const guarded = (): void => {
    if (isInside) return
    isInside = true
    before()
    isInside = false
  }
  StatementSync.prototype.run = function (this: StatementSync, ...values: Parameters<typeof run>) {
    guarded()
    return run.apply(this, values)
  } as typeof run
  DatabaseSync.prototype.exec = function (sql) {
    guarded()
    exec.call(this, sql)
  }
  try {
    await work()
  } finally {
    StatementSync.prototype.run = run
    DatabaseSync.prototype.exec = exec
  }
}
