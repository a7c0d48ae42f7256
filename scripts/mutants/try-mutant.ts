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
import { join } from 'node:path'
import { placeKey } from '../../test/programs.ts'
import { type Mutant, root } from './mutant.ts'

/** What killed a mutant; nothing if it survived. */
export interface Outcome {
  readonly mutant: Mutant
  readonly killer: string | undefined
  readonly seconds: number
}

/** What failed: of a file of tests the name of the test as well. */
interface Failure {
  readonly killer: string
  readonly test?: string
  readonly id: string
}

/** What is known not to fail without a mutant. */
const confirmed = new Set<string>()

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

  /** Tries a mutant. What fails must pass again without it, or it says nothing. */
  async try(mutant: Mutant): Promise<Outcome> {
    const since = performance.now()
    const failure = await this.#failureWith(mutant)
    if (failure) await this.#confirm(failure)
    return { mutant, killer: failure?.id, seconds: (performance.now() - since) / 1000 }
  }

  async #confirm({ killer, test, id }: Failure): Promise<void> {
    // The rule that is named only comes first.
    const known = test === undefined ? killer.replace(/^examples .*/, 'examples') : id
    if (confirmed.has(known)) return
    if (await this.#failureOf(killer, test)) throw new Error(`fails without any mutant: ${id}`)
    confirmed.add(known)
  }

  async #failureWith({ file, change, killers }: Mutant): Promise<Failure | undefined> {
    const path = join(this.#place, file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, change(source))
    try {
      for (const killer of killers) {
        const failure = await this.#failureOf(killer)
        if (failure) return failure
      }
      return undefined
    } finally {
      writeFileSync(path, source)
    }
  }

  /** What fails first if a killer, or one test of it, is run in the copy as it is now. Throws if it cannot run. */
  #failureOf(killer: string, test?: string): Promise<Failure | undefined> {
    return killer.endsWith('.test.ts') ? this.#failingTest(killer, test) : this.#quickFailure(killer)
  }

  async #quickFailure(killer: string): Promise<Failure | undefined> {
    const { code, output } = await this.#run([join('test', 'kill', 'quick-check.ts'), ...killer.split(' ')])
    if (code === 'timeout') return { killer, id: `${killer}: does not end` }
    const said = /^failed: (.*)$/m.exec(output)?.[1]
    if (code !== 0 && said === undefined) throw new Error(`the check "${killer}" cannot run:\n${output}`)
    return said === undefined ? undefined : { killer, id: said }
  }

  /** The first test of a file that fails; with `only`, that test must be among those that ran. */
  async #failingTest(killer: string, only?: string): Promise<Failure | undefined> {
    const report = join(this.#place, 'report.json')
    rmSync(report, { force: true })
    const flags = ['--bail=1', '--reporter=json', `--outputFile=${report}`]
    if (only !== undefined) flags.push('-t', only.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    const { code, output } = await this.#run([join('node_modules', 'vitest', 'vitest.mjs'), 'run', killer, ...flags])
    if (code === 'timeout') return { killer, id: `${killer}: does not end` }
    if (!existsSync(report)) throw new Error(`${killer} cannot run:\n${output}`)
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    const failed = tests.find(({ status }) => status === 'failed')
    if (failed) return { killer, test: failed.title, id: `${killer}: ${failed.fullName}` }
    if (!tests.some(({ status, title }) => status === 'passed' && (only === undefined || title === only)))
      throw new Error(`${killer} ran no tests${only === undefined ? '' : ` named "${only}"`}:\n${output}`)
    return undefined
  }

  #run(args: readonly string[]): Promise<{ code: number | 'timeout' | null; output: string }> {
    const compiled = { NODE_COMPILE_CACHE: join(this.#place, '.compiled') }
    // To put the programs together that tests start takes longer than most tests do.
    const programs = args.some(arg => startsPrograms.test(arg)) ? {} : { [placeKey]: join(this.#place, 'none') }
    const env = { ...process.env, ...compiled, ...programs }
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

/** Tests that start programs. */
const startsPrograms = /^test\/(apps|doctor|journal|kill)\/.*\.test\.ts$/

/** A mutant may loop for ever. The slowest killer takes less than a minute on a machine of its own. */
const timeoutMs = 10 * 60_000

interface Report {
  readonly numTotalTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly title: string; readonly fullName: string }[]
  }[]
}
