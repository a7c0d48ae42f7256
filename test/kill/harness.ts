import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../src/journal/stores/store.ts'
import { programFile } from '../programs.ts'
import { type Line, readLedger } from './ledger.ts'
import { leftovers } from './leftovers.ts'
import type { Plan, Report, Task, Where } from './plan.ts'

export interface Manner extends Omit<Plan, 'where' | 'ledger' | 'task'> {
  /** How large a file of the process may become, in the units of the shell. */
  readonly fileSizeMax?: number
}

/** How a process ended: killed by a signal, or with its own last words. */
export interface End {
  readonly signal: NodeJS.Signals | null
  readonly report: Report | undefined
  readonly errors: string
}

/** A journal, for the processes of a test and for the test itself. */
export interface Place {
  readonly where: Where
  readonly open: () => Promise<Store>
}

/** Where the journals of a test file are, and what makes its many processes load fast. */
export class Site {
  readonly #folder = mkdtempSync(join(tmpdir(), 'antiphon-kill-'))
  readonly #newPlace: (folder: string, count: number) => Place
  #count = 0

  constructor(newPlace: (folder: string, count: number) => Place) {
    this.#newPlace = newPlace
    leftovers.folders.add(this.#folder)
  }

  /** A journal of its own, and the processes at it. No file and no process of it stays when it is disposed of. */
  harness(): Harness {
    const count = this.#count++
    const folder = join(this.#folder, String(count))
    mkdirSync(folder)
    return new Harness(folder, this.#newPlace(folder, count), join(this.#folder, 'cache'))
  }

  /** Loads the program once, so that processes that start later find it compiled. */
  async warmUp(): Promise<void> {
    await using harness = this.harness()
    await harness.run({ do: 'resume', thread: 'none' })
  }

  remove(): void {
    leftovers.folders.delete(this.#folder)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

export class Harness implements AsyncDisposable {
  readonly #folder: string
  readonly #place: Place
  readonly #ledger: string
  readonly #cache: string
  readonly #children = new Set<Child>()

  constructor(folder: string, place: Place, cache: string) {
    this.#folder = folder
    this.#place = place
    this.#ledger = join(folder, 'ledger')
    this.#cache = cache
  }

  /** The journal as this process sees it. */
  open(): Promise<Store> {
    return this.#place.open()
  }

  lines(): Line[] {
    return readLedger(this.#ledger)
  }

  /** When the ledger says so. */
  async until(isThere: (lines: readonly Line[]) => boolean): Promise<void> {
    while (!isThere(this.lines())) await sleep(10)
  }

  /** A process that has begun with its task. */
  async start(task: Task, manner: Manner = {}): Promise<Child> {
    const child = this.prepare(task, manner)
    await child.go()
    return child
  }

  /** A process that waits to be told to begin. */
  prepare(task: Task, { fileSizeMax, ...manner }: Manner = {}): Child {
    const command = [process.execPath, script, JSON.stringify({ ...this.plan(task), ...manner })]
    const limited = ['sh', '-c', `ulimit -f ${fileSizeMax} && exec "$@"`, 'sh', ...command]
    const child = new Child(fileSizeMax === undefined ? command : limited, this.#cache)
    this.#children.add(child)
    return child
  }

  /** What a process here needs to know. */
  plan(task: Task): Plan {
    return { where: this.#place.where, ledger: this.#ledger, task }
  }

  /** A process from its beginning to its end. */
  async run(task: Task, manner: Manner = {}): Promise<End> {
    return (await this.start(task, manner)).ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL')
    await Promise.all([...this.#children].map(({ ended }) => ended))
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** A process at a journal. */
export class Child {
  readonly ended: Promise<End>
  /** When it waits to be told to begin. */
  readonly loaded: Promise<unknown>
  readonly #process: ChildProcess

  constructor([command, ...parameters]: readonly string[], cache: string) {
    this.#process = spawn(command, parameters, {
      env: { ...process.env, NODE_COMPILE_CACHE: cache },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    leftovers.processes.add(this.#process)
    this.ended = this.#end()
    this.loaded = Promise.race([once(this.#process, 'message'), this.ended])
  }

  /** Tells it to begin; and to stop, the next time. */
  async go(): Promise<void> {
    await this.loaded
    if (this.#process.connected) this.#process.send('go')
  }

  kill(signal: NodeJS.Signals): void {
    if (this.#process.exitCode === null && this.#process.signalCode === null) this.#process.kill(signal)
  }

  /** Wakes one that sleeps, again and again until it ends: the first time it may not be asleep yet. */
  async wake(): Promise<End> {
    const alarm = setInterval(() => this.kill('SIGCONT'), 100)
    try {
      return await this.ended
    } finally {
      clearInterval(alarm)
    }
  }

  async #end(): Promise<End> {
    let report: Report | undefined
    let errors = ''
    this.#process.on('message', message => {
      report = message as Report
    })
    this.#process.stderr?.on('data', chunk => {
      errors += chunk
    })
    const [, signal] = (await once(this.#process, 'close')) as [number | null, NodeJS.Signals | null]
    leftovers.processes.delete(this.#process)
    return { signal, report: report?.kind === 'ready' ? undefined : report, errors }
  }
}

const script = programFile('kill-child')
