import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJournal } from '../../../src/journal/index.ts'
import { folder, lines } from './program.ts'

/** The commands as a user who may not write to the folder: a superuser becomes nobody. */
function antiphon(...args: string[]) {
  const child = join(import.meta.dirname, 'journal-as-nobody.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [child, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** A folder that nobody may write to, with copies of what a journal has on disk. */
async function sealed(isOpen: boolean): Promise<{ file: string; unseal: () => void }> {
  const root = folder()
  const from = join(root, 'chat.db')
  const journal = await openJournal(`sqlite:${from}`)
  await journal.thread('user-42').submit('Hello?')
  if (!isOpen) await journal.close()
  const place = join(root, 'sealed')
  mkdirSync(place)
  for (const name of ['chat.db', 'chat.db-wal'])
    if (readdirSync(root).includes(name)) {
      copyFileSync(join(root, name), join(place, name))
      chmodSync(join(place, name), 0o444)
    }
  if (isOpen) await journal.close()
  chmodSync(root, 0o755)
  chmodSync(place, 0o555)
  return { file: join(place, 'chat.db'), unseal: () => chmodSync(place, 0o755) }
}

test('[WS24] a journal in a folder that one may not write to can be read', async () => {
  const { file, unseal } = await sealed(false)
  const threads = antiphon('threads', file)
  const shown = antiphon('show', file, 'user-42')
  const exported = antiphon('export', file)
  unseal()
  expect(threads).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('user-42') })
  expect(shown).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('Hello?') })
  expect(lines(exported.stdout)).toHaveLength(3)
  expect(readdirSync(join(file, '..'))).toEqual(['chat.db'])
})

test('[WS24] one whose last writes are in a log is refused with a hint, and never read without them', async () => {
  const { file, unseal } = await sealed(true)
  const { status, stdout, stderr } = antiphon('show', file, 'user-42')
  unseal()
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain('the last writes of the journal are in a WAL file that cannot be read without write access')
  expect(stderr).toContain('copy it together with chat.db-wal')
  expect(lines(stderr)).toHaveLength(1)
})
