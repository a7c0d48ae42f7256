import fs, { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openBackup } from '../../src/doctor/backup/backup.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import { plainFiles } from '../../src/doctor/systems/plain/index.ts'
import { all, bytesOf, inFolder } from './contract.ts'

const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
const broken = JSON.stringify([
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'user', content: 'go on' },
])

describe('a backup', () => {
  test.each<[string, (from: string, to: string) => void, string]>([
    ['a copy that came out wrong', (_, to) => writeFileSync(to, broken.replace('hello', 'hallo')), broken],
    ['a file that grows while it is copied', from => appendFileSync(from, ' '), `${broken} `],
  ])('[DD26] %s is noticed, nothing is changed, and no backup stays', (_, spoil, after) =>
    inFolder(async folder => {
      const chat = join(folder, 'chat.json')
      const backups = join(folder, '..', 'backups')
      writeFileSync(chat, broken)
      const healing = (): AsyncIterable<unknown> => examineStores([chat], { systems: [plainFiles], fix: true, backups })
      const visits = await behindTheNext('copyFileSync', spoil, () => all(healing()))
      expect(visits).toMatchObject([
        { failure: { message: `${chat}: its backup copy differs from it, so the file was not changed` } },
      ])
      expect(bytesOf(folder, true)).toEqual({ 'chat.json': after })
      expect(readdirSync(backups)).toEqual([])
    }),
  )

  test('[DD26] data that is not a file is read again as well', () =>
    inFolder(async folder => {
      const backup = openBackup(folder, 'instatic', 'postgres://localhost/site', 0)
      const spoil = (path: string): void => appendFileSync(path, ' ')
      await behindTheNext('writeFileSync', spoil, async () =>
        expect(() => backup.addData(Buffer.from('rows'))).toThrow('this copy differs from the original'),
      )
    }))
})

/**
 * Runs work with `after` called after the next use of a function of the file system, with the two paths it was given.
 */
async function behindTheNext<T>(
  name: 'copyFileSync' | 'writeFileSync',
  after: (from: string, to: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const functions = fs as unknown as Record<string, (...args: unknown[]) => unknown>
  const original = functions[name]
  const putBack = (): void => {
    functions[name] = original
    syncBuiltinESMExports()
  }
  functions[name] = (...args) => {
    putBack()
    original(...args)
    after(String(args[0]), String(args[1]))
  }
  syncBuiltinESMExports()
  try {
    return await work()
  } finally {
    putBack()
  }
}
