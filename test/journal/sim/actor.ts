import { AntiphonError } from '../../../src/core/errors.ts'
import type { ModelOptions, ModelRequest } from '../../../src/journal/ask-models.ts'
import { run } from '../../../src/journal/run.ts'
import type { RunEvent } from '../../../src/journal/run-event.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import type { ThreadOptions } from '../../../src/journal/thread-options.ts'
import { agent, type Tools } from '../../../src/journal/tool.ts'
import type { Worker } from '../../../src/journal/worker.ts'
import type { Reader } from '../../strict/readers.ts'
import type { Acknowledged } from '../invariants/acknowledged.ts'
import { ModelDownError } from './model.ts'
import { Process } from './process.ts'
import { RejectedError } from './rejections.ts'
import { ConnectionLostError, type Wire } from './remote-store.ts'
import type { World } from './world.ts'

export interface ActorParts {
  readonly world: World
  readonly store: Store
  readonly wire: Wire
  readonly reader: Reader
  readonly options: ThreadOptions
  /** How far its clock is off. */
  readonly skewMs: number
  readonly acknowledged: Acknowledged
  makeModel(process: Process): (request: ModelRequest) => Promise<unknown>
  makeTools(process: Process): Tools
  /** Whether somebody has erased a thread. */
  hasErased(): boolean
  /** What is done when the model fails. */
  readonly failing: Pick<ModelOptions, 'onCut' | 'attempts'>
  /** Something went wrong that nothing in the simulation explains. */
  onProblem(problem: string): void
}

/** A process with everything that an application has: a model, tools, perhaps a worker. */
export class Actor {
  readonly process: Process
  readonly model: (request: ModelRequest) => Promise<unknown>
  readonly tools: Tools
  readonly #parts: ActorParts
  #worker: Worker | undefined

  constructor(name: string, parts: ActorParts) {
    const { world, store, wire, options, skewMs, reader, acknowledged } = parts
    this.#parts = parts
    const reading = { ...options, for: reader.dialect, model: reader.model }
    this.process = new Process(name, world, store, wire, reading, skewMs)
    this.process.onWritten = (write, written) => acknowledged.writes.push({ write, written })
    this.model = parts.makeModel(this.process)
    const tools = parts.makeTools(this.process)
    const below = agent({ model: this.model, tools, maxSteps, ...parts.failing })
    const delegate = agent({ model: this.model, tools: { ...tools, delegate: below }, maxSteps, ...parts.failing })
    this.tools = { ...tools, delegate }
  }

  get isAlive(): boolean {
    return !this.process.isDead
  }

  work(threads: number, pollMs: number): void {
    const { options, reader, acknowledged, failing } = this.#parts
    this.#worker = this.process.journal.work({
      ...{ model: this.model, tools: this.tools, maxSteps, threads, pollMs, ...failing },
      thread: { ...options, for: reader.dialect, model: reader.model },
      onEvent: (thread, event) => acknowledged.events.push({ thread, event }),
      onError: (_, error) => this.explain(error),
    })
  }

  /** Gives back what its worker has. */
  async stop(): Promise<void> {
    await this.#worker?.stop()
  }

  /** Goes on with a thread without a worker, as the handler of a request does. */
  async run(name: string, waitMs: number, signal?: AbortSignal): Promise<void> {
    const onEvent = (event: RunEvent) => this.#parts.acknowledged.events.push({ thread: name, event })
    const stop = signal ? { signal } : {}
    const { model, tools } = this
    const { failing } = this.#parts
    await this.attempt(async () =>
      run(this.process.thread(name), { model, tools, maxSteps, waitMs, onEvent, ...failing, ...stop }),
    )
  }

  /** Does something that may fail for a reason which the simulation itself gave. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      this.explain(error)
      return undefined
    }
  }

  explain(error: unknown): void {
    if (error instanceof ModelDownError || error instanceof ConnectionLostError || error instanceof RejectedError)
      return
    if (AntiphonError.is(error) && explained.has(error.code)) return
    if (AntiphonError.is(error) && error.code === 'thread-erased' && this.#parts.hasErased()) return
    if (AntiphonError.is(error) && error.code === 'failure-unrecorded') {
      for (const part of [error.cause, error.data.journal]) this.explain(part)
      return
    }
    this.#parts.onProblem(`${this.process.name} failed: ${error instanceof Error ? error.stack : String(error)}`)
  }
}

/** What somebody learns who was too late, or whose model broke off. */
const explained = new Set(['fenced', 'turn-over', 'stream-cut'])

const maxSteps = 5
