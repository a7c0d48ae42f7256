import { AntiphonError } from '../../../src/core/errors.ts'
import { type RunOptions, run } from '../../../src/journal/run.ts'
import type { RunEvent } from '../../../src/journal/run-event.ts'
import type { Thread } from '../../../src/journal/thread.ts'
import { agent, type Tools } from '../../../src/journal/tool.ts'
import { isErased } from '../../../src/journal/turn-errors.ts'
import { wordOf } from '../invariants/words.ts'
import type { Environment } from './environment.ts'
import type { Process } from './process.ts'

/** What a client does in one process. */
export class Player {
  readonly process: Process
  readonly thread: Thread
  readonly #environment: Environment
  readonly #byWorker: boolean

  constructor(environment: Environment, process: Process, byWorker: boolean) {
    this.#environment = environment
    this.#byWorker = byWorker
    this.process = process
    this.thread = process.thread(environment.threadName)
  }

  get options(): RunOptions {
    const [environment, process] = [this.#environment, this.process]
    const tools: Tools = {
      look: environment.tool('look', 30, { replay: 'safe' }, process),
      book: environment.tool('book', 3_500, {}, process),
      pay: environment.tool('pay', 30, { approval: true }, process),
      wire: environment.tool('wire', 3_500, { replay: 'probe' }, process),
      person: {},
    }
    const model: RunOptions['model'] = request => environment.model(request, process)
    const helper = agent({ model, tools })
    return { model, tools: { ...tools, helper }, waitMs: 10_000, onEvent: this.#tell }
  }

  async submit(key: string, whenBusy: 'queue' | 'steer' | 'interrupt' = 'queue'): Promise<number> {
    const content = `Please ${wordOf('in', Number(key))}`
    const receipt = await this.thread.submit(content, { key, whenBusy })
    this.#environment.acknowledged.receipts.push({ receipt, content })
    return receipt.seq
  }

  async edit(input: number, key: string): Promise<void> {
    const content = `Please ${wordOf('in', Number(key))}`
    const receipt = await this.thread.edit(input, content, { key })
    this.#environment.acknowledged.receipts.push({ receipt, content })
  }

  /** The same, when the input may still wait. */
  async editOnceSaid(input: number, key: string): Promise<void> {
    try {
      await this.edit(input, key)
    } catch (error) {
      if (!AntiphonError.is(error) || error.code !== 'unknown-input') throw error
      await this.submit(key)
    }
  }

  async run(more: Pick<RunOptions, 'onCut' | 'compact'> = {}): Promise<void> {
    if (this.#byWorker) return this.work(12_000, more)
    try {
      await run(this.thread, { ...this.options, ...more })
    } catch (error) {
      if (!isCut(error)) throw error
    }
  }

  /** Runs while something else is done. Whether it failed is heard when it is awaited. */
  startRun(): Promise<void> {
    const running = this.run()
    running.catch(() => {})
    return running
  }

  async work(ms: number, more: Pick<RunOptions, 'onCut' | 'compact'> = {}): Promise<void> {
    const { waitMs: _, onEvent: __, ...options } = this.options
    const onError = (_: string, error: unknown): void => {
      if (!isCut(error) && !isErased(error)) this.#environment.fail(this.process, error)
    }
    const thread = { for: 'openai', leaseMs: 3_000, graceMs: 50 } as const
    const worker = this.process.journal.work({ ...options, ...more, thread, pollMs: 200, onError })
    await this.process.wait(ms)
    await worker.stop()
  }

  /** Decides every call that waits for it. */
  async decide(isApproved: (index: number) => boolean, input?: unknown): Promise<void> {
    for (const [index, { id, parked }] of (await this.thread.openCalls({ deep: true })).entries()) {
      if (parked?.why !== 'approval') continue
      const changed = input === undefined ? {} : { input }
      const verdict = isApproved(index) ? await this.thread.approve(id, changed) : await this.thread.deny(id)
      this.#environment.acknowledged.verdicts.push({ call: id, verdict })
    }
  }

  /** Gives every call that waits for it its result. */
  async settle(): Promise<void> {
    for (const { id, parked } of await this.thread.openCalls()) {
      if (parked?.why !== 'outside') continue
      const settlement = await this.thread.settle(id, 'a person says so')
      this.#environment.acknowledged.settlements.push({ call: id, settlement })
    }
  }

  /** Does what can be done before the thread is erased, by this process or by the one before. */
  async unlessErased(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isErased(error)) throw error
    }
  }

  async interrupt(turn: number): Promise<void> {
    const { isInterrupted } = await this.thread.interrupt('enough', { turn })
    if (isInterrupted) this.#environment.acknowledged.interruptions.push({ thread: this.thread.name, turn })
  }

  readonly #tell = (event: RunEvent): void => {
    this.#environment.acknowledged.events.push({ thread: this.thread.name, event })
  }
}

const isCut = (error: unknown): boolean => AntiphonError.is(error) && error.code === 'stream-cut'
