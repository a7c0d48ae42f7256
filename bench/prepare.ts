import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const bench = new URL('./', import.meta.url)
const root = new URL('../', bench)

/** What is measured is the built package, so it is built from the sources as they are. */
export async function buildPackage(say: (line: string) => void): Promise<void> {
  say('building antiphon (npm run build)')
  await npm(root, 'run', 'build')
}

/** Installs the peers if they are missing. Returns why not, if that fails: the bench goes on without them. */
export async function ensurePeers(say: (line: string) => void): Promise<string | undefined> {
  if (Object.entries(wantedPeers()).every(([name, version]) => installedVersion(name) === version)) return undefined
  say('installing the peers (npm ci --prefix bench), about a minute')
  try {
    await npm(root, 'ci', '--prefix', fileURLToPath(bench))
    return undefined
  } catch (error) {
    return `npm ci failed: ${complaint(error)}`
  }
}

/** npm's first line that says what went wrong, after those that only give its code. */
function complaint(error: unknown): string {
  const { stderr = '' } = error as { stderr?: string }
  const line = stderr.split('\n').find(line => /^npm error (?!code|errno|syscall)/.test(line))
  return line?.slice('npm error '.length) ?? String(error).split('\n', 1).join()
}

export function wantedPeers(): Record<string, string> {
  return (readJson(new URL('package.json', bench)) as { dependencies: Record<string, string> }).dependencies
}

function installedVersion(name: string): string | undefined {
  const file = new URL(`node_modules/${name}/package.json`, bench)
  return existsSync(file) ? (readJson(file) as { version: string }).version : undefined
}

const readJson = (file: URL): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** The npm that runs this script, or else the one on the path. */
export async function npm(folder: URL, ...words: string[]): Promise<void> {
  const options = { cwd: fileURLToPath(folder), maxBuffer: 2 ** 26 }
  const script = process.env.npm_execpath
  if (script !== undefined) await promisify(execFile)(process.execPath, [script, ...words], options)
  else await promisify(execFile)('npm', words, { ...options, shell: process.platform === 'win32' })
}
