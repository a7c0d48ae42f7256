import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { openJournal, run } from '../../src/journal/index.ts'
import { root } from '../repository.ts'
import { says } from './contract/model.ts'

const folder = mkdtempSync(join(tmpdir(), 'antiphon-lazy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

const build = () => vi.stubEnv('NEXT_PHASE', 'phase-production-build')

test('[C130] in `next build` a journal at module level opens nothing: no file is made, and no database is asked', async () => {
  const program = `
    import { openJournal } from './src/journal/index.ts'
    const journals = await Promise.all(process.argv.slice(1).map(location => openJournal(location)))
    for (const journal of journals) journal.thread('user-42', { for: 'openai' })
    process.stdout.write(String(journals.length))
  `
  const file = join(folder, 'built.db')
  const args = [
    '--input-type=module-typescript',
    '-e',
    program,
    `sqlite:${file}`,
    'postgres://me:hunter2@127.0.0.1:1/chat',
  ]
  const env = { ...process.env, NEXT_PHASE: 'phase-production-build' }
  // It ends by itself: nothing is left open.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
  expect(stdout).toBe('2')
  expect(existsSync(file)).toBe(false)
})

test('[C130] it is opened on first use, once, and works as any other', async () => {
  build()
  const file = join(folder, 'used.db')
  await using journal = await openJournal(`sqlite:${file}`, { seal: Buffer.alloc(32, 7) })
  const thread = journal.thread('user-42', { for: 'anthropic' })
  expect(existsSync(file)).toBe(false)
  await Promise.all([thread.submit('Hello', { key: 'k' }), journal.thread('user-43').submit('Hello')])
  expect(await run(thread, { model: () => says('Hi.') })).toEqual({ status: 'done', turn: 1 })
  expect(await thread.messages()).toMatchObject([{ content: 'Hello' }, { content: 'Hi.' }])
  const names: string[] = []
  for await (const { name } of journal.threads()) names.push(name)
  expect(names.toSorted()).toEqual(['user-42', 'user-43'])
})

test('[C130] a failure to open is told where it is used, and the next use tries again', async () => {
  build()
  const journal = await openJournal(`sqlite:${join(folder, 'absent/chat.db')}`)
  for (const _ of [1, 2])
    await expect(journal.thread('a').submit('Hello')).rejects.toMatchObject({ code: 'journal-unreachable' })
  await journal.close()
  await expect(journal.thread('a').submit('Hello')).rejects.toMatchObject({ code: 'journal-closed' })
})

test('[C130] `lazy` does the same anywhere; without it a journal is opened at once, and a wrong location never is', async () => {
  const file = join(folder, 'lazy.db')
  const journal = await openJournal(`sqlite:${file}`, { lazy: true })
  expect(existsSync(file)).toBe(false)
  await journal.close()
  expect(existsSync(file)).toBe(false)
  await (await openJournal(`sqlite:${file}`)).close()
  expect(existsSync(file)).toBe(true)
  await expect(openJournal('redis://here', { lazy: true })).rejects.toMatchObject({ code: 'unknown-store' })
})
