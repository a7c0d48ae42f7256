import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { read, root } from '../../repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'antiphon-ai-sdk-'))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
const place = process.cwd()
beforeEach(() => process.chdir(folder))
afterEach(() => {
  process.chdir(place)
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(folder, { recursive: true }))

const doors = {
  'antiphon/adapters/ai-sdk': 'src/integrations/ai-sdk/index.ts',
  'antiphon/journal': 'src/journal/index.ts',
}
const blocks = [...(read('docs/ai-sdk.md') ?? '').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code], index) => {
  let text = code
  for (const [door, file] of Object.entries(doors))
    text = text.replace(`'${door}'`, `'${pathToFileURL(join(root, file)).href}'`)
  return [index, text] as const
})

test.each(blocks)('[AI25] code block %i of the page runs', async (index, code) => {
  await using strict = await startStrict({ script: () => 'Here.' })
  vi.stubEnv('OPENAI_API_KEY', 'any')
  vi.stubEnv('OPENAI_BASE_URL', `${strict.url}/v1`)
  const file = join(folder, `block-${index}.ts`)
  writeFileSync(file, code)
  const asserted = vi.spyOn(console, 'assert')
  const { POST } = await import(/* @vite-ignore */ file)
  expect(asserted.mock.calls.filter(([holds]) => !holds)).toEqual([])
  if (!POST) return expect(strict.requests.every(({ verdict }) => verdict === 'accepted')).toBe(true)
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
  const body = JSON.stringify({ id: 'anna:1', message })
  const ask = (user: string) =>
    POST(new Request('http://site/api/chat', { method: 'POST', headers: { 'x-user': user }, body }))
  if (code.includes('authorize')) expect((await ask('bert')).status).toBe(403)
  expect(await (await ask('anna')).text()).toContain('Here.')
})

test('[AI25] the code of the page type-checks', () => {
  const files = blocks.map(([index, code]) => {
    const file = join(folder, `typed-${index}.ts`)
    writeFileSync(file, code.replaceAll(pathToFileURL(root).href, root))
    return file
  })
  expect(files).toHaveLength(6)
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'NodeNext',
    '--target',
    'ES2023',
    '--types',
    'node',
  ]
  const extra = ['--allowImportingTsExtensions', '--lib', 'ES2023,ES2024.String,ESNext.Disposable']
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...extra, ...files], {
    cwd: folder,
    stdio: 'pipe',
  })
})
