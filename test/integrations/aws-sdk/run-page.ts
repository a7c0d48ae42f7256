import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { read, root, sourceOfExport } from '../../repository.ts'

/** The programs on a page of the documentation. */
export const blocksOf = (page: string): string[] =>
  [...(read(page) ?? '').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)

/** Runs a program of a page, with the sources in the place of the package. Throws if one of its assertions does not hold. */
export async function runBlock(code: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-page-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const file = join(folder, 'block.ts')
  writeFileSync(
    file,
    code.replaceAll(
      /'antiphon(\/[\w/-]+)?'/g,
      (_, door = '') => `'${pathToFileURL(join(root, sourceOfExport(`.${door}`))).href}'`,
    ),
  )
  const { assert } = console
  let failures = 0
  console.assert = (holds, ...about) => {
    if (!holds) failures++
    assert(holds, ...about)
  }
  try {
    await import(/* @vite-ignore */ file)
    if (failures > 0) throw new Error(`${failures} assertions of the program do not hold:\n${code}`)
  } finally {
    console.assert = assert
    rmSync(folder, { recursive: true })
  }
}
