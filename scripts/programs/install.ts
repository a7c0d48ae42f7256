import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Program } from './programs.ts'

/** Installs a program in a folder of its own, unless it is there, and says how to start it. */
export async function install({ package: name, version }: Program, cache: string): Promise<string[]> {
  const folder = join(cache, `${name.replace(/\W+/g, '-').replace(/^-/, '')}-${version}`)
  if (!existsSync(folder)) {
    // What was installed halfway is not taken for the whole.
    const draft = `${folder}.part`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { recursive: true })
    writeFileSync(join(draft, 'package.json'), '{"private":true}\n')
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: draft })
    renameSync(draft, folder)
  }
  const own = join(folder, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { bin: Record<string, string> }
  const file = join(own, Object.values(bin)[0])
  return /\.[cm]?js$/.test(file) ? [process.execPath, file] : [file]
}
