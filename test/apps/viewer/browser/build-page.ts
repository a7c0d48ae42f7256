import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from '../../../repository.ts'

/** Builds the page once for all tests, if what it is made of is newer. */
export async function setup(): Promise<void> {
  const page = statSync(join(root, 'dist/page.html'), { throwIfNoEntry: false })
  const newest = Math.max(
    ...globSync('src/**/*.{ts,tsx,css,html}', { cwd: root }).map(
      file => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  )
  if (page && page.mtimeMs > newest) return
  await build({ root: join(root, 'src/apps/viewer/page'), logLevel: 'warn' })
}
