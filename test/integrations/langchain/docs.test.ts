import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { read, root } from '../../repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'antiphon-langchain-'))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})
afterAll(() => rmSync(folder, { recursive: true }))

const blocks = [...(read('docs/langchain.md') ?? '').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code], index) => [index, code] as const,
)

test.each(blocks)('[LC41] block %i of the page runs', async (index, code) => {
  await using strict = await startStrict()
  vi.stubEnv('OPENAI_API_KEY', 'any')
  vi.stubEnv('OPENAI_BASE_URL', `${strict.url}/v1`)
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  const doubt = vi.spyOn(console, 'assert')
  const file = join(folder, `block-${index}.ts`)
  const door = pathToFileURL(join(root, 'src/integrations/langchain/index.ts')).href
  writeFileSync(file, code.replace("'antiphon/adapters/langchain'", `'${door}'`))
  await import(/* @vite-ignore */ file)
  const verdicts = strict.requests.map(({ verdict }) => verdict)
  expect(verdicts.length).toBeGreaterThan(0)
  expect(verdicts.every(verdict => verdict === 'accepted')).toBe(true)
  expect(doubt.mock.calls.every(([isRight]) => isRight)).toBe(true)
  // What the page says that one sees.
  if (index === 0) expect(said.mock.calls).toEqual([['openai', ['unanswered-call']]])
})

test('[LC41] the page has code', () => {
  expect(blocks.length).toBe(3)
})
