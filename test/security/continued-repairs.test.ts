import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import { swapFolder } from '../../src/doctor/files/swap-folder.ts'
import { kimiCli } from '../../src/doctor/systems/kimi-cli/index.ts'
import { all, inFolder } from '../doctor/contract.ts'

const line = (record: object): string => `${JSON.stringify(record)}\n`
const call = (id: string): string =>
  line({
    role: 'assistant',
    content: '',
    tool_calls: [{ type: 'function', id, function: { name: 'Shell', arguments: '{"command":"ls"}' } }],
  })
const user = (content: string): string => line({ role: 'user', content })

/** A conversation of kimi-cli with a call that has no result. */
function brokenStore(folder: string): string {
  const session = join(folder, 'sessions', '11e9fe063b91149eb10c6daf331adfaa', '462ecd87-0da0-5f08-ae70-e58d7851120c')
  mkdirSync(session, { recursive: true })
  const path = join(session, 'context.jsonl')
  writeFileSync(path, line({ role: '_checkpoint', id: 0 }) + user('List the files.') + call('call-1') + user('Go on.'))
  return path
}

test('[SE261] what a program adds right after a repair is not undone with it, though it breaks the conversation again', () =>
  inFolder(async folder => {
    const path = brokenStore(folder)
    let opened = 0
    const program = call('call-2') + user('What the program adds.')
    const open: typeof kimiCli.open = (...given) => {
      // The second time is the look at the repaired store.
      if (++opened === 2) appendFileSync(path, program)
      return kimiCli.open(...given)
    }
    const backups = join(folder, '..', 'backups')
    const [found] = await all(examineStores([path], { systems: [{ ...kimiCli, open }], fix: true, backups }))
    const failure = found?.kind === 'conversation' ? found.failure?.message : undefined
    expect(failure).toMatch(
      /a program used it during its repair, so it was left as it is now: its former content is in/,
    )
    const now = readFileSync(path, 'utf8')
    expect(now.endsWith(program)).toBe(true)
    expect(now).toContain('"tool_call_id":"call-1"')
    await all(examineStores([path], { systems: [kimiCli], fix: true, backups }))
    expect(readFileSync(path, 'utf8')).toContain('"tool_call_id":"call-2"')
  }))

test('[SE261] nor is a file lost that a program adds to a folder at the last moment', () =>
  inFolder(async folder => {
    const path = join(folder, 'conversation')
    mkdirSync(path)
    writeFileSync(join(path, 'message_0.json'), 'said')
    const isStill = (place: string): boolean => {
      const names = readdirSync(place)
      writeFileSync(join(place, 'message_1.json'), 'added')
      return names.length === 1
    }
    const build = (fresh: string): void => writeFileSync(join(fresh, 'message_0.json'), 'repaired')
    expect(() => swapFolder(path, build, isStill, undefined)).toThrow('it changed during the repair')
    expect(readdirSync(path)).toEqual(['message_0.json', 'message_1.json'])
    expect(readFileSync(join(path, 'message_0.json'), 'utf8')).toBe('said')
    expect(readdirSync(folder)).toEqual(['conversation'])
  }))

test('[SE261] nor what a program adds while a backup is restored', () =>
  inFolder(async folder => {
    const path = brokenStore(folder)
    const backups = join(folder, '..', 'backups')
    await all(examineStores([path], { systems: [kimiCli], fix: true, backups }))
    const [backup = ''] = readdirSync(backups)
    const before = readFileSync(path, 'utf8')
    const now = Date.now()
    // The clock is read when the content that will be replaced is kept.
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      if (new Error().stack?.includes('backUpPresent')) appendFileSync(path, user('Added.'))
      return now
    })
    try {
      await expect(restore(join(backups, backup), [kimiCli])).rejects.toThrow(
        'it changed meanwhile, so nothing was restored',
      )
    } finally {
      clock.mockRestore()
    }
    expect(readFileSync(path, 'utf8')).toBe(before + user('Added.'))
    await restore(join(backups, backup), [kimiCli])
    expect(existsSync(path) && readFileSync(path, 'utf8')).not.toContain('"tool_call_id"')
  }))
