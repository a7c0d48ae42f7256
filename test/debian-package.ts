import { execFileSync } from 'node:child_process'

/** The first of the programs that is there; otherwise the package with the first one is installed. */
export function findOrInstall(programs: readonly [string, ...string[]]): string {
  const found = programs.find(isThere)
  if (found !== undefined) return found
  const [program] = programs
  try {
    execFileSync('apt-get', ['update'], { stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', program], { stdio: 'ignore' })
  } catch (cause) {
    throw new Error(`this test needs ${programs.join(' or ')} in the PATH: install it`, { cause })
  }
  return program
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
