import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { read, root } from '../../house.ts'

/** The programs on a page of the documentation. */
export const blocksOf = (page: string): string[] =>
  [...(read(page) ?? '').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)

/** Runs a program of a page, with the sources in the place of the package. */
export async function runBlock(code: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-page-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const file = join(folder, 'block.ts')
  writeFileSync(
    file,
    code.replaceAll(/'antiphon(\/[\w/-]+)?'/g, (_, door = '') => {
      const folder = door === '/journal' ? '/broker' : door
      return `'${pathToFileURL(join(root, `src${folder}/index.ts`)).href}'`
    }),
  )
  try {
    await import(/* @vite-ignore */ file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
