import { AntiphonError } from '../../../src/core/errors.ts'
import { parentOf } from '../../../src/journal/agents/child-name.ts'
import type { ModelRequest } from '../../../src/journal/ask-models.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import type { Tool } from '../../../src/journal/tool.ts'
import { isErased } from '../../../src/journal/turn-errors.ts'
import type { ReplyContent } from '../../../src/strict/answers/script.ts'
import { Acknowledged, lostWrites } from '../invariants/acknowledged.ts'
import { Effects } from '../invariants/effects.ts'
import { wordOf } from '../invariants/words.ts'
import { violations } from '../invariants.ts'
import { type CrashPoint, fateOf, lossOf } from './crash-point.ts'
import { FakeResponses, speakers } from './fake-responses.ts'
import { Observer, type Watched } from './observer.ts'
import { Player } from './player.ts'
import { Process } from './process.ts'
import { ConnectionLostError } from './remote-store.ts'
import type { Scenario } from './scenarios.ts'
import { World } from './world.ts'

export interface EnvironmentPlan {
  /** One crash for each process that is to have one; the one after them lives. */
  readonly crashes: readonly CrashPoint[]
  /** Instead of crashing, a process loses its store for good, and lives on. */
  readonly losesStore?: boolean
  /** Those who go on are workers, and nobody runs the thread. */
  readonly byWorker?: boolean
  /** Tools that were at work in a process that crashed end nevertheless, and their results come from outside. */
  readonly toolsGoOn?: boolean
  /** The store as each process opens it: the same one, or another connection to the same file. */
  openStore(now: () => number): Store | Promise<Store>
}

export interface ScenarioResult {
  readonly problems: readonly string[]
  /** All crashes that were planned came to be. */
  readonly hasCrashed: boolean
  readonly story: string
}

/** Plays a scenario with processes that crash, each going on where the one before stopped, and examines what is left. */
export async function perform(scenario: Scenario, plan: EnvironmentPlan): Promise<ScenarioResult> {
  const environment = new Environment(scenario, plan)
  const isOver = await environment.play()
  await environment.examine(isOver)
  return environment.performance
}

export class Environment {
  readonly threadName = 'one'
  readonly world = new World()
  readonly acknowledged = new Acknowledged()
  readonly #scenario: Scenario
  readonly #plan: EnvironmentPlan
  readonly #observer = new Observer(() => this.world.now)
  readonly #effects = new Effects()
  readonly #fakeResponses = new FakeResponses()
  readonly #processes: Process[] = []
  readonly #problems: string[] = []
  /** Processes that live on without their store. */
  readonly #cutOff = new Set<string>()
  #store: Store | undefined
  #words = 0
  /** How often the model was asked in each step. */
  readonly #attempts = new Map<string, number>()

  constructor(scenario: Scenario, plan: EnvironmentPlan) {
    this.#scenario = scenario
    this.#plan = plan
  }

  get performance(): ScenarioResult {
    const story = [...this.#observer.threads.values()]
      .flatMap(({ name, entries, writers }) =>
        entries.map((entry, index) => `${name} ${writers[index]} ${JSON.stringify(entry)}`),
      )
      .join('\n')
    const gone = this.#processes.filter(process => process.isDead || this.#isCutOff(process))
    const hasCrashed = gone.length === this.#plan.crashes.length
    return { problems: this.#problems, hasCrashed, story }
  }

  /** Each process plays the whole scenario: a client without an answer from the one before asks the next one again. */
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
      const isGone = () => process.isDead || this.#isCutOff(process)
      await this.world.runUntil(() => isDone || isGone() || this.#problems.length > 0, 120_000)
      if (!isGone()) return isDone && this.#becomesStill()
    }
    return false
  }

  async examine(isOver: boolean): Promise<void> {
    if (!isOver) this.#problems.push('it never came to its end')
    this.#problems.push(...this.#observer.problems)
    for (const process of this.#processes)
      if (process.isDead || this.#isCutOff(process)) this.#effects.silenced.add(process.name)
    for (const watched of this.#observer.threads.values()) await this.#examineThread(watched)
  }

  async #examineThread(watched: Watched): Promise<void> {
    if (!this.#store) return
    const { thread, name, uid, writers, state, isErased } = watched
    const entries = isErased ? watched.entries : await this.#store.read(thread, 0, 10_000)
    const reliable = new Set(this.#processes.slice(this.#plan.crashes.length).map(({ name }) => name))
    const [acknowledged, effects] = [this.acknowledged, this.#effects]
    // An agent whose call got a placeholder is ended by the next process that works on the journal.
    const isLeft = parentOf(name) !== undefined && this.#isLeft(name)
    const isOver = !isErased && !isLeft
    const evidence = { name, uid, entries, writers, acknowledged, effects, isOver, isErased, reliable }
    this.#problems.push(...violations(evidence, speakers, accepted), ...lostWrites(thread, entries, acknowledged))
    const row = await this.#store.get(thread)
    if (name === this.threadName) this.#problems.push(...this.#scenario.faults({ state, effects, row }))
    if (isErased && row.head > 0) this.#problems.push(`${name} is erased in part`)
  }

  /** Whether nobody waits for the agent any more. */
  #isLeft(name: string): boolean {
    const { parent, callId } = parentOf(name) ?? { parent: '', callId: '' }
    const call = this.#observer.named(parent)?.state.calls.get(callId)
    return call?.outcome?.status === 'made-up'
  }

  fail(process: Process, error: unknown): void {
    const { name } = process
    // What its model threw is reported together with the lost store, which could not record it.
    const journal = AntiphonError.is(error) && error.code === 'failure-unrecorded' ? error.data.journal : error
    if (this.#isCutOff(process) && journal instanceof ConnectionLostError) return
    this.#problems.push(`${name} failed: ${error instanceof Error ? error.stack : error}`)
  }

  async model({ turn, step, messages, thread }: ModelRequest, process: Process): Promise<unknown> {
    await process.wait(20)
    const attempt = this.#countAttempt(`${thread} ${turn}.${step}`)
    const { model, agent = model } = this.#scenario
    const said = (thread === this.threadName ? model : agent)(turn, step, attempt)
    const rejection = said.rejects?.(messages)
    if (rejection) {
      const isKnown = this.#observer.named(this.threadName)?.state.lessons !== undefined
      if (isKnown && !this.#isCutOff(process))
        this.#problems.push(`${process.name} sends what the thread knows is rejected`)
      throw rejection
    }
    const [reader] = speakers
    if (!said.streams) return this.#fakeResponses.whole(reader, said)
    const chunks = this.#fakeResponses.chunks(reader, said)
    return pieces(said.isCut ? chunks.slice(0, -2) : chunks, process)
  }

  #countAttempt(place: string): number {
    const attempt = (this.#attempts.get(place) ?? 0) + 1
    this.#attempts.set(place, attempt)
    return attempt
  }

  /** A tool that takes a while. What it did has happened, whatever becomes of the process that called it. */
  tool(name: string, ms: number, tool: Omit<Tool, 'execute'>, process: Process): Tool {
    const probe: Tool['probe'] = (_, { key }) => this.#effects.lookUp(key)
    const habits = { isOnce: tool.replay !== 'safe', needsApproval: tool.approval === true }
    return {
      ...tool,
      ...(tool.replay === 'probe' && { probe }),
      execute: (input: never, { key }: { key: string }) => {
        const execution = this.#effects.enter(key, name, habits, process.name, input)
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
    try {
      const settlement = await process.thread(this.threadName).settle(call, word)
      this.acknowledged.settlements.push({ call, settlement })
    } catch (error) {
      if (!isErased(error)) throw error
    }
  }

  #isCutOff({ name }: Process): boolean {
    return this.#cutOff.has(name)
  }

  /** Whether nothing is left that goes on by itself. */
  #becomesStill(): Promise<boolean> {
    return this.world.runUntil(() => this.world.isEmpty, 120_000)
  }

  async #open(crash: CrashPoint | undefined): Promise<Process> {
    const name = `p${this.#processes.length + 1}`
    this.#store = await this.#plan.openStore(() => this.world.now)
    const fate = crash && this.#plan.losesStore ? lossOf(crash, () => this.#cutOff.add(name)) : fateOf(crash)
    const wire = { travelMs: () => 0, fate, arrivesAfterCrash: () => false }
    const options = { leaseMs: 3_000, graceMs: 50 }
    const process = new Process(name, this.world, this.#observer.watch(this.#store, name), wire, options)
    process.onWritten = (write, written) => this.acknowledged.writes.push({ write, written })
    this.#processes.push(process)
    return process
  }
}

/** What a model says in a scenario. */
export interface Line extends ReplyContent {
  readonly streams?: true
  readonly isCut?: true
  /** What the provider says to these messages instead, if it rejects them. */
  rejects?(messages: readonly unknown[]): Error | undefined
}

async function* pieces(chunks: readonly unknown[], process: Process): AsyncGenerator<unknown> {
  for (const chunk of chunks) {
    await process.wait(1)
    yield chunk
  }
}

/** Most performances begin alike. */
const accepted = new Set<string>()
