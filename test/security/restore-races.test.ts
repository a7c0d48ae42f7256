import fs, { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { restore } from '../../src/doctor/backup/restore.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import { kimiCli } from '../../src/doctor/systems/kimi-cli/index.ts'
import { all, inFolder } from '../doctor/contract.ts'
import { atEveryMoment } from '../doctor/moments.ts'

const line = (record: object): string => `${JSON.stringify(record)}\n`
const user = (content: string): string => line({ role: 'user', content })
const added = user('Added meanwhile.')

/** A conversation of kimi-cli with a call that has no result. */
function brokenStore(folder: string): string {
  const session = join(folder, 'sessions', '11e9fe063b91149eb10c6daf331adfaa', '462ecd87-0da0-5f08-ae70-e58d7851120c')
  mkdirSync(session, { recursive: true })
  const path = join(session, 'context.jsonl')
  const call = { type: 'function', id: 'call-1', function: { name: 'Shell', arguments: '{"command":"ls"}' } }
  const calls = line({ role: 'assistant', content: '', tool_calls: [call] })
  writeFileSync(path, line({ role: '_checkpoint', id: 0 }) + user('List the files.') + calls + user('Go on.'))
  return path
}

interface Healed {
  readonly path: string
  readonly backup: string
  /** What is in the store and next to it, whatever the names are. */
  texts(): string
}

async function healed(folder: string): Promise<Healed> {
  const path = brokenStore(folder)
  const backups = join(folder, '..', 'backups')
  await all(examineStores([path], { systems: [kimiCli], fix: true, backups }))
  const [name = ''] = readdirSync(backups)
  const texts = (): string =>
    readdirSync(dirname(path))
      .map(file => readFileSync(join(dirname(path), file), 'utf8'))
      .join('')
  return { path, backup: join(backups, name), texts }
}

/** Restores, with a line added to the file before this change to the disk. Returns how many changes there are. */
async function restoreAround({ path, backup }: Healed, moment: number): Promise<number> {
  let count = 0
  const work = (): Promise<unknown> => restore(backup, [kimiCli]).catch(error => error)
  await atEveryMoment(number => {
    count = number + 1
    if (number === moment) appendFileSync(path, added)
  }, work)
  return count
}

test('[SE330] what a program adds at the last moments before a backup is restored is not lost', async () => {
  const count = await inFolder(async folder => restoreAround(await healed(folder), -1))
  for (let moment = count - 6; moment < count; moment++)
    await inFolder(async folder => {
      const store = await healed(folder)
      await restoreAround(store, moment)
      expect({ moment, isKept: store.texts().includes(added) }).toEqual({ moment, isKept: true })
      expect(readdirSync(dirname(store.path)).filter(name => name.includes('.antiphon'))).toEqual([])
    })
})

/** Calls `then` after the first hard link that `work` makes: the second name of the file that it is about to replace. */
async function afterLink<T>(then: () => void, work: () => Promise<T>): Promise<T> {
  const { linkSync } = fs
  let isDone = false
  fs.linkSync = (...given) => {
    linkSync(...given)
    if (!isDone) then()
    isDone = true
  }
  syncBuiltinESMExports()
  try {
    return await work()
  } finally {
    fs.linkSync = linkSync
    syncBuiltinESMExports()
    expect(isDone).toBe(true)
  }
}

const replaceBy = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

test('[SE331] a file that its program replaces right before a restore replaces it stays', () =>
  inFolder(async folder => {
    const { path, backup } = await healed(folder)
    const text = readFileSync(path, 'utf8') + added
    const work = (): Promise<unknown> => restore(backup, [kimiCli])
    await expect(afterLink(() => replaceBy(path, text), work)).rejects.toThrow('it changed meanwhile')
    expect(readFileSync(path, 'utf8')).toBe(text)
  }))

test('[SE331] nor is it lost in a repair', () =>
  inFolder(async folder => {
    const path = brokenStore(folder)
    const text = readFileSync(path, 'utf8') + added
    const fixed = { systems: [kimiCli], fix: true, backups: join(folder, '..', 'backups') }
    const [found] = await afterLink(
      () => replaceBy(path, text),
      () => all(examineStores([path], fixed)),
    )
    const failure = found?.kind === 'conversation' ? found.failure?.message : undefined
    expect(failure).toContain('it changed during the repair')
    expect(readFileSync(path, 'utf8')).toBe(text)
  }))
