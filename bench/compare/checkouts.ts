import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UsageError } from '../arguments.ts'
import { inFolder } from '../journal/folder.ts'
import { npm } from '../prepare.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The bench folders of two built checkouts, and the name of the commit. */
export interface Checkouts {
  readonly commit: string
  readonly before: URL
  readonly after: URL
}

/** The full name of a commit. */
export function findCommit(name: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`).trim()
  } catch {
    throw new UsageError(`unknown commit "${name}": give a name that git rev-parse knows, such as HEAD~1 or a tag`)
  }
}

/**
 * Builds a commit and the working tree in temporary folders, so that the `dist/` of this checkout stays as it is. Both are measured by
 * the bench of the working tree.
 */
export async function withCheckouts<T>(
  commit: string,
  say: (line: string) => void,
  work: (checkouts: Checkouts) => Promise<T>,
): Promise<T> {
  return inFolder(async file => {
    const folders = { before: file('before'), after: file('after') }
    const forget = (): void => {
      for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
      git('worktree', 'prune')
    }
    process.once('exit', forget)
    try {
      say(`building ${commit.slice(0, 12)}`)
      await build(folders.before, commit, copyBench)
      say('building the working tree')
      await build(folders.after, 'HEAD', copyChanges)
      const [before, after] = [folders.before, folders.after].map(folder => pathToFileURL(join(folder, 'bench/')))
      return await work({ commit, before, after })
    } finally {
      process.off('exit', forget)
      forget()
    }
  })
}

async function build(folder: string, commit: string, change: (folder: string) => void): Promise<void> {
  git('worktree', 'add', '--quiet', '--detach', folder, commit)
  change(folder)
  for (const modules of ['node_modules', 'bench/node_modules'])
    if (existsSync(join(root, modules))) symlinkSync(join(root, modules), join(folder, modules), 'junction')
  try {
    // Types cost half of the time of a build, and nothing of what is measured.
    await npm(pathToFileURL(`${folder}/`), 'run', 'build', '--', '--no-types')
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string }
    throw new UsageError(`the build of ${commit} failed:\n${(stderr || stdout).trim()}`)
  }
}

/** The same bench for both. */
function copyBench(folder: string): void {
  rmSync(join(folder, 'bench'), { recursive: true, force: true })
  const modules = join(root, 'bench/node_modules')
  cpSync(join(root, 'bench'), join(folder, 'bench'), { recursive: true, filter: path => path !== modules })
}

/** What is not committed: files that are changed, new or deleted. */
function copyChanges(folder: string): void {
  const changed = git('diff', '--name-only', '--no-renames', '-z', 'HEAD')
  const added = git('ls-files', '--others', '--exclude-standard', '-z')
  for (const name of `${changed}${added}`.split('\0').filter(name => name !== '')) {
    const [source, target] = [join(root, name), join(folder, name)]
    rmSync(target, { recursive: true, force: true })
    if (!existsSync(source)) continue
    mkdirSync(dirname(target), { recursive: true })
    cpSync(source, target, { recursive: true })
  }
}

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 })
