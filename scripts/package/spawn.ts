import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a program to its end and gives what it wrote. If it fails, the error is the line that says why. */
export async function spawn(command: readonly string[], folder: string): Promise<string> {
  const [file, ...words] = command
  const options = { cwd: folder, maxBuffer: 2 ** 26, timeout: 300_000, env: plainEnvironment() }
  try {
    return (await promisify(execFile)(file, words, options)).stdout
  } catch (error) {
    throw new Error(`${words.join(' ')}: ${complaint(error)}`, { cause: error })
  }
}

/** Nothing that changes how a runtime behaves, and no colours. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(NODE_(OPTIONS|PATH|ENV|COMPILE_CACHE)|ANTIPHON_|FORCE_COLOR)/
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1' }
}

function complaint(error: unknown): string {
  const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string }
  const lines = `${stderr}\n${stdout}`.split('\n').map(line => line.trim())
  const line = lines.find(line => /error/i.test(line) && !/^npm error (code|errno|syscall)/.test(line))
  return line ?? lines.find(line => line !== '') ?? String(error)
}

/** The npm that runs this script, or else the one on the path. */
export function npm(folder: string, ...words: string[]): Promise<string> {
  const script = process.env.npm_execpath
  return script === undefined ? spawn(['npm', ...words], folder) : spawn([process.execPath, script, ...words], folder)
}
