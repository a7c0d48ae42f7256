import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type Mutant, root } from './mutant.ts'

/** What killed a mutant; nothing if it survived. */
export interface Outcome {
  readonly mutant: Mutant
  readonly killer: string | undefined
  readonly seconds: number
}

/** A copy of the sources and tests in which one mutant after the other is tried. */
export class Copy {
  readonly #place = realpathSync(mkdtempSync(join(tmpdir(), 'antiphon-mutants-')))
  #child: ChildProcess | undefined

  constructor() {
    const corpus = join(root, 'test', 'corpus')
    for (const name of ['src', 'test', 'docs'])
      cpSync(join(root, name), join(this.#place, name), { recursive: true, filter: path => path !== corpus })
    for (const name of ['package.json', 'tsconfig.json', 'vitest.config.ts'])
      cpSync(join(root, name), join(this.#place, name))
    process.once('exit', () => this[Symbol.dispose]())
    symlinkSync(join(root, 'node_modules'), join(this.#place, 'node_modules'), 'dir')
  }

  [Symbol.dispose](): void {
    this.#child?.kill('SIGKILL')
    rmSync(this.#place, { recursive: true, force: true })
  }

  async try(mutant: Mutant): Promise<Outcome> {
    const file = join(this.#place, mutant.file)
    const source = readFileSync(file, 'utf8')
    const since = performance.now()
    writeFileSync(file, mutant.change(source))
    try {
      let killer: string | undefined
      for (const name of mutant.killers) killer ??= await this.failureOf(name)
      return { mutant, killer, seconds: (performance.now() - since) / 1000 }
    } finally {
      writeFileSync(file, source)
    }
  }

  /** What fails first if a killer is run in the copy as it is now; undefined if all passes. Throws if it cannot run. */
  failureOf(killer: string): Promise<string | undefined> {
    return killer.endsWith('.test.ts') ? this.#failingTest(killer) : this.#quickFailure(killer)
  }

  async #quickFailure(killer: string): Promise<string | undefined> {
    const { code, output } = await this.#run([join('test', 'kill', 'quick-check.ts'), ...killer.split(' ')])
    if (code === 'timeout') return `${killer}: does not end`
    const failure = /^failed: (.*)$/m.exec(output)?.[1]
    if (code !== 0 && failure === undefined) throw new Error(`the check "${killer}" cannot run:\n${output}`)
    return failure
  }

  /** The first test of a file that fails. */
  async #failingTest(file: string): Promise<string | undefined> {
    const report = join(this.#place, 'report.json')
    rmSync(report, { force: true })
    const flags = ['--bail=1', '--reporter=json', `--outputFile=${report}`]
    const { code, output } = await this.#run([join('node_modules', 'vitest', 'vitest.mjs'), 'run', file, ...flags])
    if (code === 'timeout') return `${file}: does not end`
    if (!existsSync(report)) throw new Error(`${file} cannot run:\n${output}`)
    const { numTotalTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    if (numTotalTests === 0) throw new Error(`${file} ran no tests:\n${output}`)
    for (const { name, assertionResults } of testResults)
      for (const { status, fullName } of assertionResults)
        if (status === 'failed') return `${relative(this.#place, name)}: ${fullName}`
    return undefined
  }

  #run(args: readonly string[]): Promise<{ code: number | 'timeout' | null; output: string }> {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(this.#place, '.compiled') }
    const child = spawn(process.execPath, args, { cwd: this.#place, env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
    return new Promise((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        child.kill('SIGKILL')
      }, timeoutMs)
      child.once('error', reject)
      child.once('close', code => {
        clearTimeout(timer)
        resolve({ code: isLate ? 'timeout' : code, output })
      })
    })
  }
}

/** A mutant may loop for ever. The slowest killer takes less than a minute on a machine of its own. */
const timeoutMs = 10 * 60_000

interface Report {
  readonly numTotalTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}
