import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { read, root } from '../../repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'antiphon-telemetry-'))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
afterAll(() => rmSync(folder, { recursive: true }))

const blocks = [...(read('docs/opentelemetry.md') ?? '').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code], index) => [index, code] as const,
)
const doors = { journal: 'src/journal/index.ts', fetch: 'src/integrations/fetch/index.ts' }

test.each(blocks)('[OT31] block %i of the page runs', async (index, code) => {
  const asserted = vi.spyOn(console, 'assert')
  const file = join(folder, `block-${index}.ts`)
  const written = Object.entries(doors).reduce(
    (text, [name, door]) => text.replace(`'antiphon/${name}'`, `'${pathToFileURL(join(root, door)).href}'`),
    code,
  )
  writeFileSync(file, written)
  await import(/* @vite-ignore */ file)
  expect(asserted.mock.calls.map(([holds]) => holds)).toEqual(code.includes('console.assert') ? [true] : [])
  asserted.mockRestore()
})

test('[OT31] the page has code', () => {
  expect(blocks.length).toBe(3)
})
