import { type ModelRequest, type RunOptions, run } from '../../../src/broker/run.ts'
import type { RunEvent } from '../../../src/broker/run-event.ts'
import type { Thread } from '../../../src/broker/thread.ts'
import type { Tool, Tools } from '../../../src/broker/tool.ts'
import { AntiphonError } from '../../../src/errors.ts'
import type { Store } from '../../../src/journal/store.ts'
import type { Said } from '../../../src/strict/script.ts'
import { Acknowledged, lostWrites } from '../invariants/acknowledged.ts'
import { Effects } from '../invariants/effects.ts'
import { wordOf } from '../invariants/words.ts'
import { violations } from '../invariants.ts'
import { Process } from './process.ts'
import type { Fate } from './remote-store.ts'
import type { Scenario } from './scenarios.ts'
import { speakers, Voice } from './voice.ts'
import { Witness } from './witness.ts'
import { World } from './world.ts'

/** The n-th change that a process asks for, and whether it crashes before that is done or after. */
export interface CrashPoint {
  readonly change: number
  readonly when: 'before' | 'after'
}

export interface StagePlan {
  /** One crash for each process that is to have one; the one behind them lives. */
  readonly crashes: readonly CrashPoint[]
  /** Those who go on are workers, and nobody runs the thread. */
  readonly byWorker?: boolean
  /** Tools that were at work in a process that crashed end nevertheless, and their results come from outside. */
  readonly toolsGoOn?: boolean
  /** The store as each process opens it: the same one, or another connection to the same file. */
  openStore(now: () => number): Store | Promise<Store>
}

export interface Performance {
  readonly problems: readonly string[]
  /** All crashes that were planned came to be. */
  readonly hasCrashed: boolean
  readonly story: string
}

/** Plays a scenario with processes that crash, each going on where the one before stopped, and examines what is left. */
export async function perform(scenario: Scenario, plan: StagePlan): Promise<Performance> {
  const stage = new Stage(scenario, plan)
  const isOver = await stage.play()
  await stage.examine(isOver)
  return stage.performance
}

export class Stage {
  readonly world = new World()
  readonly acknowledged = new Acknowledged()
  readonly #scenario: Scenario
  readonly #plan: StagePlan
  readonly #witness = new Witness(() => this.world.now)
  readonly #effects = new Effects()
  readonly #voice = new Voice()
  readonly #processes: Process[] = []
  readonly #problems: string[] = []
  #store: Store | undefined
  #words = 0

  constructor(scenario: Scenario, plan: StagePlan) {
    this.#scenario = scenario
    this.#plan = plan
  }

  get performance(): Performance {
    const story = (this.#witness.named(threadName)?.entries ?? []).map(entry => JSON.stringify(entry)).join('\n')
    const hasCrashed = this.#processes.filter(({ isDead }) => isDead).length === this.#plan.crashes.length
    return { problems: this.#problems, hasCrashed, story }
  }

  /** Each process plays the whole scenario: whoever got no answer from the one before asks the next one again. */
  async play(): Promise<boolean> {
    for (const crash of [...this.#plan.crashes, undefined]) {
      const process = await this.#open(crash)
      let isDone = false
      const byWorker = this.#plan.byWorker === true && this.#processes.length > 1
      this.#scenario.play(new Player(this, process, byWorker)).then(
        () => {
          isDone = true
        },
        error => this.fail(process, error),
      )
      await this.world.runUntil(() => isDone || process.isDead || this.#problems.length > 0, 120_000)
      if (!process.isDead) return isDone && this.#becomesStill()
    }
    return false
  }

  async examine(isOver: boolean): Promise<void> {
    if (!isOver) this.#problems.push('it never came to its end')
    this.#problems.push(...this.#witness.problems)
    for (const { name, isDead } of this.#processes) if (isDead) this.#effects.silenced.add(name)
    const watched = this.#witness.named(threadName)
    if (!watched || !this.#store) return
    const { thread, name, uid, writers, state } = watched
    const entries = await this.#store.read(thread, 0, 10_000)
    const reliable = new Set(this.#processes.filter(({ isDead }) => !isDead).map(({ name }) => name))
    const [acknowledged, effects] = [this.acknowledged, this.#effects]
    const evidence = { name, uid, entries, writers, acknowledged, effects, isOver: true, reliable }
    this.#problems.push(...violations(evidence, speakers, accepted), ...lostWrites(thread, entries, acknowledged))
    this.#problems.push(...this.#scenario.faults({ state, effects }))
  }

  fail({ name }: Process, error: unknown): void {
    this.#problems.push(`${name} failed: ${error instanceof Error ? error.stack : error}`)
  }

  async model({ turn, step }: ModelRequest, process: Process): Promise<unknown> {
    await process.wait(20)
    const said = this.#scenario.model(turn, step)
    const [reader] = speakers
    if (!said.streams) return this.#voice.whole(reader, said)
    const chunks = this.#voice.chunks(reader, said)
    return pieces(said.isCut ? chunks.slice(0, -2) : chunks, process)
  }

  /** A tool that takes a while. What it did has happened, whatever becomes of the process that called it. */
  tool(name: string, ms: number, tool: Omit<Tool, 'execute'>, process: Process): Tool {
    const habits = { isOnce: tool.replay !== 'safe', needsApproval: tool.approval === true }
    return {
      ...tool,
      execute: (_input: never, { key }: { key: string }) => {
        const execution = this.#effects.enter(key, name, habits, process.name)
        const word = wordOf('out', ++this.#words)
        return new Promise(resolve => {
          this.world.schedule(ms, () => {
            execution.output = word
            if (!process.isDead) resolve(word)
            else if (this.#plan.toolsGoOn) void this.#settleFromOutside(key, word)
          })
        })
      },
    }
  }

  async #settleFromOutside(call: string, word: string): Promise<void> {
    const process = this.#processes.at(-1) as Process
    if (process.isDead) return
    const settlement = await process.thread(threadName).settle(call, word)
    this.acknowledged.settlements.push({ call, settlement })
  }

  /** Whether nothing is left that goes on by itself. */
  #becomesStill(): Promise<boolean> {
    return this.world.runUntil(() => this.world.isEmpty, 120_000)
  }

  async #open(crash: CrashPoint | undefined): Promise<Process> {
    const name = `p${this.#processes.length + 1}`
    this.#store = await this.#plan.openStore(() => this.world.now)
    const wire = { travelMs: () => 0, fate: fateOf(crash), arrivesAfterCrash: () => false }
    const options = { leaseMs: 3_000, graceMs: 50 }
    const process = new Process(name, this.world, this.#witness.watch(this.#store, name), wire, options)
    process.onWritten = (write, written) => this.acknowledged.writes.push({ write, written })
    this.#processes.push(process)
    return process
  }
}

/** What a client does in one process. */
export class Player {
  readonly process: Process
  readonly thread: Thread
  readonly #stage: Stage
  readonly #byWorker: boolean

  constructor(stage: Stage, process: Process, byWorker: boolean) {
    this.#stage = stage
    this.#byWorker = byWorker
    this.process = process
    this.thread = process.thread(threadName)
  }

  get options(): RunOptions {
    const [stage, process] = [this.#stage, this.process]
    const tools: Tools = {
      look: stage.tool('look', 30, { replay: 'safe' }, process),
      book: stage.tool('book', 3_500, {}, process),
      pay: stage.tool('pay', 30, { approval: true }, process),
      person: {},
    }
    return { model: request => stage.model(request, process), tools, waitMs: 10_000, onEvent: this.#tell }
  }

  async submit(key: string, whenBusy: 'queue' | 'steer' | 'interrupt' = 'queue'): Promise<void> {
    const content = `Please ${wordOf('in', Number(key))}`
    const receipt = await this.thread.submit(content, { key, whenBusy })
    this.#stage.acknowledged.receipts.push({ receipt, content })
  }

  async run(): Promise<void> {
    if (this.#byWorker) return this.work(12_000)
    try {
      await run(this.thread, this.options)
    } catch (error) {
      if (!isCut(error)) throw error
    }
  }

  async work(ms: number): Promise<void> {
    const { waitMs: _, onEvent: __, ...options } = this.options
    const onError = (_: string, error: unknown): void => {
      if (!isCut(error)) this.#stage.fail(this.process, error)
    }
    const thread = { leaseMs: 3_000, graceMs: 50 }
    const worker = this.process.journal.work({ ...options, thread, pollMs: 200, onError })
    await this.process.wait(ms)
    await worker.stop()
  }

  /** Decides every call that waits for it. */
  async decide(isApproved: (index: number) => boolean): Promise<void> {
    for (const [index, { id, parked }] of (await this.thread.openCalls()).entries()) {
      if (parked?.why !== 'approval') continue
      const verdict = isApproved(index) ? await this.thread.approve(id) : await this.thread.deny(id)
      this.#stage.acknowledged.verdicts.push({ call: id, verdict })
    }
  }

  /** Gives every call that waits for it its result. */
  async settle(): Promise<void> {
    for (const { id, parked } of await this.thread.openCalls()) {
      if (parked?.why !== 'outside') continue
      const settlement = await this.thread.settle(id, 'a person says so')
      this.#stage.acknowledged.settlements.push({ call: id, settlement })
    }
  }

  async interrupt(turn: number): Promise<void> {
    const { isInterrupted } = await this.thread.interrupt('enough', { turn })
    if (isInterrupted) this.#stage.acknowledged.interruptions.push({ thread: threadName, turn })
  }

  readonly #tell = (event: RunEvent): void => {
    this.#stage.acknowledged.events.push({ thread: threadName, event })
  }
}

/** What a model says in a scenario. */
export interface Line extends Said {
  readonly streams?: true
  readonly isCut?: true
}

async function* pieces(chunks: readonly unknown[], process: Process): AsyncGenerator<unknown> {
  for (const chunk of chunks) {
    await process.wait(1)
    yield chunk
  }
}

const isCut = (error: unknown): boolean => AntiphonError.is(error) && error.code === 'stream-cut'

/** Reads change nothing, so a crash around one is a crash around the change before it. */
function fateOf(crash: CrashPoint | undefined): (operation: keyof Store) => Fate {
  let changes = 0
  return operation => {
    if (!crash || !changing.has(operation) || ++changes !== crash.change) return 'done'
    return `crash-${crash.when}`
  }
}

const changing = new Set<keyof Store>(['open', 'write', 'renew'])

const threadName = 'one'

/** Most performances begin alike. */
const accepted = new Set<string>()
