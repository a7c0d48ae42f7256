import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const manifest = fileURLToPath(import.meta.resolve('antiphon/package.json'))
const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { antiphon: string } }
const program = join(dirname(manifest), bin.antiphon)

/** Runs the command line and prints its output, like `npx antiphon ...` in a shell. */
export function antiphon(...args: string[]): void {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  console.log(`$ antiphon ${args.join(' ')}\n${stderr}${stdout}`)
}
