import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Command } from 'commander'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { addProxy } from '../../../src/apps/cli/commands/proxy.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { read, root } from '../../repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'antiphon-proxy-'))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(folder, { recursive: true }))

const page = read('docs/proxy.md') ?? ''

test('[PX32] the code of the page runs', async () => {
  await using strict = await startStrict()
  vi.stubEnv('OPENAI_API_KEY', 'any')
  vi.stubEnv('MY_PROVIDER', strict.url)
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const [code = ''] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
  const file = join(folder, 'block.ts')
  writeFileSync(
    file,
    code.replace("'antiphon/proxy'", `'${pathToFileURL(join(root, 'src/integrations/proxy/index.ts')).href}'`),
  )
  await import(/* @vite-ignore */ file)
  expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted'])
})

test('[PX32] the options that the page names are options of the command', () => {
  const program = new Command()
  addProxy(program)
  const known = program.commands.flatMap(({ options }) => options.map(({ long }) => long))
  const named = [...new Set(page.match(/(?<![-\w])--[a-z][\w-]+/g))]
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter(option => !known.includes(option))).toEqual([])
})
