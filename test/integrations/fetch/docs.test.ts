import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { read, root } from '../../repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'antiphon-fetch-'))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
const globalFetch = globalThis.fetch
afterEach(() => {
  globalThis.fetch = globalFetch
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(folder, { recursive: true }))

const blocks = [...(read('docs/fetch.md') ?? '').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code], index) => [index, code] as const,
)

test.each(blocks)('[H15] code block %i of the page runs', async (index, code) => {
  await using strict = await startStrict()
  const asks = code.includes('await')
  for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'MY_KEY']) vi.stubEnv(name, 'any')
  if (asks) vi.stubEnv('OPENAI_BASE_URL', `${strict.url}/v1`)
  const file = join(folder, `block-${index}.ts`)
  const door = pathToFileURL(join(root, 'src/integrations/fetch/index.ts')).href
  writeFileSync(file, code.replace("'antiphon/fetch'", `'${door}'`))
  const asserted = vi.spyOn(console, 'assert')
  await import(/* @vite-ignore */ file)
  expect(asserted.mock.calls.filter(([holds]) => !holds)).toEqual([])
  expect(strict.requests.map(({ verdict }) => verdict)).toEqual(asks ? ['accepted'] : [])
})

test('[H15] the page has code', () => {
  expect(blocks.length).toBe(5)
})
