import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import { langgraph } from '../../src/doctor/systems/langgraph/index.ts'
import { plainFiles } from '../../src/doctor/systems/plain/index.ts'
import { programFile } from '../programs.ts'
import { root } from '../repository.ts'
import { all, inFolder } from './contract.ts'

describe('leftovers of a killed process', () => {
  test('[DD27] its copies to look at are removed by the next run, and nothing of other programs', () =>
    inFolder(async folder => {
      const path = join(folder, 'checkpoints.db')
      leaveLog(path)
      const scratch = join(folder, '..', 'scratch')
      mkdirSync(scratch)
      const child = [programFile('store-kill-child'), 'heal', 'langgraph', path, join(folder, '..', 'backups')]
      const { signal } = spawnSync(process.execPath, [...child, '2'], { env: { ...process.env, TMPDIR: scratch } })
      const [left, ...more] = readdirSync(scratch)
      expect({ signal, more }).toEqual({ signal: 'SIGKILL', more: [] })
      expect(readdirSync(join(scratch, left))).toContain('copy')
      const others = [`antiphon-look-${process.ppid}-atwork`, 'antiphon-look-mine', 'antiphon-other-999999999-x']
      for (const name of others) mkdirSync(join(scratch, name))
      writeFileSync(join(scratch, 'antiphon-look-999999999-file'), '')
      others.push('antiphon-look-999999999-file')
      if (process.getuid?.() === 0) {
        mkdirSync(join(scratch, 'antiphon-look-999999999-theirs'))
        chownSync(join(scratch, 'antiphon-look-999999999-theirs'), 65_534, 65_534)
        others.push('antiphon-look-999999999-theirs')
      }
      const found = await withTemporaries(scratch, () => all(examineStores([path], { systems: [langgraph] })))
      expect(found).toMatchObject([{ kind: 'conversation', examination: { state: 'broken' } }])
      expect(readdirSync(scratch).sort()).toEqual(others.sort())
    }))

  test('[DD28] its drafts are removed by the next repair of the folder, and those of a running process stay', () =>
    inFolder(async folder => {
      const below = join(folder, 'below')
      mkdirSync(below)
      for (const name of [
        '.chat.json.999999999.antiphon',
        '.chat.json.999999999.antiphon-old',
        '.gone.json.999999998.antiphon',
      ])
        writeFileSync(join(below, name), 'half')
      const kept = [`.chat.json.${process.ppid}.antiphon`, '.chat.json.antiphon', 'chat.json']
      for (const name of kept) writeFileSync(join(below, name), '[{"role":"user","content":"hello"}]')
      await all(examineStores([folder], { systems: [plainFiles] }))
      expect(readdirSync(below)).toHaveLength(6)
      await all(examineStores([folder], { systems: [plainFiles], fix: true, backups: join(folder, '..', 'backups') }))
      expect(readdirSync(below).sort()).toEqual(kept.sort())
    }))
})

/** Makes a database whose program was killed, so that its rows are in its log. */
function leaveLog(path: string): void {
  const sql = readFileSync(join(root, 'test/doctor/systems/langgraph/samples/broken.sql'), 'utf8')
  const script = `
    const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)})
    database.exec('pragma journal_mode = wal')
    database.exec(${JSON.stringify(sql)})
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['-e', script])
}

async function withTemporaries<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}
