import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { leftovers } from '../kill/leftovers.ts'
import type { Command, Holdings, Told } from './inside.ts'
import type { Setting } from './settings.ts'

export type PartName = 'provider' | 'proxy' | 'agents' | 'worker'

type Held = Extract<Told, { kind: 'held' }>

/** A process of the soak, as it is seen from outside. */
export class Part {
  readonly name: PartName
  readonly errors: string[] = []
  url = ''
  /** What it has counted, as far as it is known. */
  counts: Readonly<Record<string, number>> = {}
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #errors = ''
  #isKilled = false
  #isStopped = false
  #hear = (_: Held): void => {}
  #hearTransfer = (): void => {}

  private constructor(name: PartName, setting: Partial<Setting>) {
    this.name = name
    this.#child = fork(join(import.meta.dirname, `${name}.ts`), [JSON.stringify(setting)], {
      execArgv: ['--expose-gc'],
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    leftovers.processes.add(this.#child)
    this.#ended = once(this.#child, 'close').then(() => leftovers.processes.delete(this.#child))
    this.#child.stderr?.on('data', chunk => {
      this.#errors = (this.#errors + chunk).slice(-4_000)
    })
    this.#child.on('message', (told: Told) => {
      if (told.kind === 'error') this.errors.push(told.text)
      if (told.kind === 'ready') this.url = told.url
      if (told.kind === 'transfer') this.#hearTransfer()
      if (told.kind !== 'held') return
      this.counts = told.counts
      this.#hear(told)
    })
    // One that ends without being told to is a error of its own.
    this.#child.on('exit', (code, signal) => {
      if (!this.#isKilled && (code !== 0 || !this.#isStopped))
        this.errors.push(`the ${name} ended with ${code ?? signal}: ${this.#errors}`)
    })
  }

  /** A process that is ready. */
  static async start(name: PartName, setting: Partial<Setting>): Promise<Part> {
    const part = new Part(name, setting)
    const ready = new Promise(resolve => {
      part.#child.on('message', (told: Told) => {
        if (told.kind === 'ready') resolve(undefined)
      })
    })
    await Promise.race([ready, part.#ended])
    return part
  }

  get isThere(): boolean {
    return this.#child.connected
  }

  /** What it holds now; nothing if it is gone, or too busy to say so. */
  async hold(patienceMs = 20_000): Promise<Holdings | undefined> {
    if (!this.isThere) return undefined
    const held = new Promise<Held>(resolve => {
      this.#hear = resolve
    })
    this.tell('hold')
    return (await within(patienceMs, Promise.race([held, this.#ended.then(() => undefined)])))?.holdings
  }

  /** Until it makes the next transfer. */
  transfer(): Promise<void> {
    return new Promise(resolve => {
      this.#hearTransfer = resolve
    })
  }

  tell(command: Command): void {
    if (this.isThere) this.#child.send(command, () => {})
  }

  async kill(): Promise<void> {
    this.#isKilled = true
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  /** Has it stop, and waits until it has ended of itself. False if it never does: then something is still open in it. */
  async stop(patienceMs = 30_000): Promise<boolean> {
    this.#isStopped = true
    this.tell('stop')
    const isEnded = await within(
      patienceMs,
      this.#ended.then(() => true),
    )
    if (!isEnded) await this.kill()
    return isEnded === true
  }
}

/** What Node has compiled once: workers are started again and again. */
const compiled = join(import.meta.dirname, '../../node_modules/.cache/node-compile')

async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
