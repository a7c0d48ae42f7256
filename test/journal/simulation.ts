import { MemoryStore } from '../../src/journal/stores/memory.ts'
import type { Store } from '../../src/journal/stores/store.ts'
import type { Random } from '../laws/random.ts'
import type { Reader } from '../strict/readers.ts'
import { Acknowledged, lostWrites } from './invariants/acknowledged.ts'
import { wrongAgents } from './invariants/agents.ts'
import { Effects } from './invariants/effects.ts'
import { violations } from './invariants.ts'
import type { Actor } from './sim/actor.ts'
import { Clients } from './sim/clients.ts'
import { speakers } from './sim/fake-responses.ts'
import { Observer, type Watched } from './sim/observer.ts'
import { leaseMs, Processes } from './sim/processes.ts'
import { runLoop } from './sim/run-loop.ts'
import { World } from './sim/world.ts'

export interface SimulationOptions {
  /** A store that lies, for showing that it would be found out. */
  readonly spoil?: (store: Store) => Store
  /** Who has to accept every beginning of the conversations. */
  readonly readers?: readonly Reader[]
}

export interface Report {
  readonly seed: number
  /** What went wrong; empty if nothing did. */
  readonly problems: readonly string[]
  /** Everything that was written, by whom and when. */
  readonly story: string
  readonly steps: number
}

/**
 * Several processes on one journal, with people who speak, approve and press stop, while processes crash, sleep longer than
 * their leases and lose their connections, the clock is set ahead and back, models fail and tools hang. Then all becomes calm, everything is decided, and
 * every promise of the journal is looked at. The same seed gives the same story.
 */
export async function simulate(seed: number, options: SimulationOptions = {}): Promise<Report> {
  const simulation = new Simulation(seed, options)
  await simulation.live()
  await simulation.calmDown()
  await simulation.stop()
  await simulation.examine()
  return simulation.report
}

/** A failure, written for the person who has to find its cause. */
export const describeReport = ({ seed, problems, story }: Report): string =>
  [`seed ${seed}: run it again with ANTIPHON_FUZZ_SEED=${seed} ANTIPHON_SIM_RUNS=1`, ...problems, story].join('\n')

class Simulation {
  readonly #seed: number
  readonly #readers: readonly Reader[]
  readonly #world: World
  readonly #random: Random
  readonly #memory: MemoryStore
  readonly #observer: Observer
  readonly #acknowledged = new Acknowledged()
  readonly #effects = new Effects()
  readonly #processes: Processes
  readonly #clients: Clients
  readonly #threads: readonly string[]
  readonly #problems: string[] = []
  readonly #watching = new AbortController()

  constructor(seed: number, { spoil = store => store, readers = speakers }: SimulationOptions) {
    this.#seed = seed
    this.#readers = readers
    const world = new World(seed)
    this.#world = world
    this.#random = world.random
    let [uids, words] = [0, 0]
    const nextWord = () => ++words
    const now = () => world.clock
    this.#memory = new MemoryStore({ now, uid: () => `thread${++uids}` })
    const observer = new Observer(now)
    this.#observer = observer
    this.#clients = new Clients(this.#random, this.#acknowledged, nextWord)
    this.#threads = this.#random.chance(0.7) ? ['one'] : ['one', 'two']
    this.#processes = new Processes({
      ...{
        world,
        observer,
        nextWord,
        threads: this.#threads,
        acknowledged: this.#acknowledged,
        effects: this.#effects,
      },
      storeFor: name => spoil(observer.watch(this.#memory, name)),
      onProblem: problem => this.#problems.push(problem),
    })
  }

  get report(): Report {
    const story = [...this.#observer.threads.values()].flatMap(({ name, entries, writers }) =>
      entries.map((entry, index) => `${name} ${writers[index]} ${JSON.stringify(entry)}`),
    )
    return { seed: this.#seed, problems: this.#problems, story: story.join('\n'), steps: this.#world.steps }
  }

  /** The time in which everything goes wrong. */
  async live(): Promise<void> {
    const random = this.#random
    for (let count = random.range(2, 3); count > 0; count--) this.#processes.spawn()
    for (const thread of this.#threads) this.#do(() => this.#clients.speak(this.#processes.someone(), thread))
    const horizon = random.pick([2_000, 8_000, 20_000])
    for (let count = random.range(8, 25); count > 0; count--) this.#plan(random.int(horizon))
    // Much depends on what comes just after something else.
    this.#observer.onWrite = () => {
      if (random.chance(0.15)) this.#plan(random.pick(soonMs))
    }
    // One in four worlds, so that the others go on for long.
    if (this.#seed % 4 === 0) this.#planErasure(horizon)
    const { setMs } = this.#processes.faultPlan
    for (let count = setMs > 0 ? random.range(1, 6) : 0; count > 0; count--)
      this.#world.schedule(random.int(horizon), () => {
        this.#world.aheadMs = random.pick([-setMs, 0, setMs])
      })
    await this.#world.runUntil(() => false, horizon)
  }

  /** Nothing goes wrong any more, and everybody who was asked something answers. */
  async calmDown(): Promise<void> {
    this.#processes.isCalm = true
    this.#world.aheadMs = 0
    for (const { process } of this.#processes.actors) process.pausedUntil = 0
    this.#processes.spawn(true)
    this.#tidy()
    if (!(await this.#settles())) this.#problems.push(`it is stuck:\n${this.#statuses}`)
  }

  async stop(): Promise<void> {
    this.#problems.push(...this.#clients.laggards(this.#observer, this.#world.now - watchingMs))
    this.#watching.abort()
    const alive = this.#processes.actors.filter(({ isAlive }) => isAlive)
    let stopping = alive.length
    for (const actor of alive) void actor.stop().finally(() => stopping--)
    const isStill = await this.#world.runUntil(() => stopping === 0 && this.#world.isEmpty, 60_000)
    if (!isStill) this.#problems.push(`something goes on for ever, and ${stopping} workers do not stop`)
  }

  async examine(): Promise<void> {
    this.#problems.push(...this.#observer.problems, ...wrongAgents([...this.#observer.threads.values()]))
    for (const { process } of this.#processes.actors)
      if (process.requestsPeak > requestsMax)
        this.#problems.push(`${process.name} asked ${process.requestsPeak} times within a second`)
    for (const name of this.#processes.silenced) this.#effects.silenced.add(name)
    for (const watched of this.#observer.threads.values()) {
      const { thread, name, uid, writers, isErased } = watched
      if (isErased) this.#problems.push(...(await tracesOf(this.#memory, watched)))
      // What was said before it was erased was true, and done as it should be.
      const entries = isErased ? watched.entries : await this.#memory.read(thread, 0, 10_000)
      const [acknowledged, effects] = [this.#acknowledged, this.#effects]
      const { reliable, faultPlan } = this.#processes
      const evidence = {
        ...{ name, uid, entries, writers, acknowledged, effects },
        ...{ isOver: !isErased, isErased, reliable, skewMs: 2 * (faultPlan.skewMs + faultPlan.setMs) },
      }
      this.#problems.push(...violations(evidence, this.#readers), ...lostWrites(thread, entries, acknowledged))
      const { owner, dueAt, state, openCalls } = await this.#memory.get(thread)
      if (isErased) continue
      if (owner !== undefined || dueAt !== undefined || state !== 'idle' || openCalls > 0)
        this.#problems.push(`${name} is over, and yet ${JSON.stringify({ owner, dueAt, state, openCalls })}`)
    }
  }

  get #isOver(): boolean {
    const areDone = [...this.#observer.threads.values()].every(
      ({ state: { turn, waiting, open }, isErased, isGone }) =>
        isErased ? isGone : !turn && waiting.length === 0 && open.size === 0,
    )
    return areDone && this.#clients.unanswered.length === 0
  }

  /** Whether it is over some time, and stays so: something may still have been on its way. */
  async #settles(): Promise<boolean> {
    while (await this.#world.runUntil(() => this.#isOver, 300_000)) {
      await this.#world.runUntil(() => false, Math.max(...this.#processes.faultPlan.travelMs) + 2_000)
      if (this.#isOver) return true
    }
    return false
  }

  /** Again and again, until it is over: who has no answer asks again, who is asked answers, what hangs is stopped. */
  #tidy(): void {
    const actor = this.#processes.actors.at(-1) as Actor
    for (const submission of this.#clients.unanswered) this.#do(() => this.#clients.submit(actor, submission))
    for (const { name, state, isErased } of this.#observer.threads.values()) {
      if (isErased) continue
      if (state.open.size > 0) this.#do(() => this.#clients.decide(actor, name, { all: true }))
      const { now } = this.#world
      const hangs = [...state.open.values()].some(({ startedAt = now }) => Math.abs(now - startedAt) > 10_000)
      if (hangs) this.#do(() => this.#clients.interrupt(actor, name))
    }
    this.#world.schedule(1_000, () => {
      if (!this.#watching.signal.aborted) this.#tidy()
    })
  }

  #plan(ms: number): void {
    this.#world.schedule(ms, () => {
      if (!this.#processes.isCalm) this.#do(() => this.#act())
    })
  }

  /** Somebody erases a thread, and sometimes two do, or the one who does it crashes. */
  #planErasure(horizon: number): void {
    const random = this.#random
    for (let count = random.range(1, 3); count > 0; count--)
      this.#world.schedule(random.int(horizon), () => {
        const actor = this.#processes.someone()
        this.#do(() => this.#clients.erase(actor, random.pick(this.#threads)))
        if (random.chance(0.4)) this.#world.schedule(random.pick(soonMs), () => this.#replace(actor))
      })
  }

  #replace(actor: Actor): void {
    if (!actor.isAlive) return
    actor.process.crash()
    this.#processes.spawn()
  }

  async #act(): Promise<void> {
    const random = this.#random
    const act = random.pick(acts)
    const thread = random.pick(this.#threads)
    // Whatever happens to those who have nothing to do is of less interest.
    const owner = harming.has(act) && random.chance(0.7) ? this.#processes.ownerOf(thread) : undefined
    const actor = owner ?? this.#processes.someone()
    if (act === 'speak') await this.#clients.speak(actor, thread)
    else if (act === 'decide') await this.#clients.decide(actor, thread)
    else if (act === 'branch') await this.#clients.branch(actor, thread)
    else if (act === 'late') await this.#clients.comeLate(actor)
    else if (act === 'watch') await this.#clients.watch(actor, thread, this.#watching.signal)
    else if (act === 'run') await this.#run(actor, thread)
    else if (act === 'runLoop') await runLoop(actor, thread, random)
    else if (act === 'interrupt') await this.#interrupt(actor, thread)
    else if (act === 'pause') actor.process.pause(random.pick(pausesMs))
    else if (act === 'redeploy') await this.#redeploy(actor)
    else if (act === 'crash') this.#replace(actor)
  }

  async #run(actor: Actor, thread: string): Promise<void> {
    const controller = new AbortController()
    if (this.#random.chance(0.2)) this.#world.schedule(this.#random.int(2_000), () => controller.abort(), actor.process)
    await actor.run(thread, this.#random.pick([0, 500, 2 * leaseMs]), controller.signal)
  }

  async #interrupt(actor: Actor, thread: string): Promise<void> {
    const turn = this.#random.chance(0.3) ? this.#random.range(1, 4) : undefined
    const times = this.#random.chance(0.3) ? 2 : 1
    await Promise.all(Array.from({ length: times }, () => this.#clients.interrupt(actor, thread, turn)))
  }

  async #redeploy(actor: Actor): Promise<void> {
    this.#world.schedule(200, () => void this.#processes.spawn())
    await (this.#random.chance(0.5) ? actor.stop() : actor.process.journal.close())
  }

  #do(work: () => Promise<void>): void {
    work().catch(error => this.#problems.push(`the simulation itself failed: ${error.stack}`))
  }

  get #statuses(): string {
    const threads = [...this.#observer.threads.values()].map(({ name, state: { turn, waiting, open, head } }) =>
      JSON.stringify({ name, head, turn, waiting: waiting.length, open: [...open.values()] }),
    )
    return [...threads, `${this.#clients.unanswered.length} without an answer`].join('\n')
  }
}

/** What is left of an erased thread, and of an erasure that nobody has ended. */
async function tracesOf(store: MemoryStore, { thread, name }: Watched): Promise<string[]> {
  const { head, dueAt, openCalls, name: left, owner } = await store.get(thread)
  const isReadable = await store.read(thread, 0).then(
    () => true,
    () => false,
  )
  const problems = isReadable ? [`${name} is erased, and can be read`] : []
  if (head > 0 || dueAt !== undefined || openCalls > 0 || left === name || owner !== undefined)
    problems.push(`${name} is erased, and yet there is ${JSON.stringify({ head, dueAt, openCalls, left, owner })}`)
  return problems
}

/** Some of them longer than a lease, and than all that others do meanwhile. */
const pausesMs = [500, 2_000, leaseMs + 500, 2 * leaseMs, 15_000]

/** Those who watch look at least so often. */
const watchingMs = 1_100

const soonMs = [0, 0, 1, 1, 2, 5, 30]

/** A process that asks more often than this within a second is in a loop. */
const requestsMax = 150

type Act =
  | 'speak'
  | 'decide'
  | 'branch'
  | 'late'
  | 'watch'
  | 'run'
  | 'runLoop'
  | 'interrupt'
  | 'pause'
  | 'redeploy'
  | 'crash'

const weights: Readonly<Record<Act, number>> = {
  ...{ speak: 8, decide: 9, branch: 4, late: 2, watch: 1, run: 3, runLoop: 2 },
  ...{ interrupt: 5, pause: 2, redeploy: 1, crash: 2 },
}

const harming = new Set<Act>(['pause', 'crash', 'redeploy'])

const acts = Object.entries(weights).flatMap(([act, weight]) => Array<Act>(weight).fill(act as Act))
