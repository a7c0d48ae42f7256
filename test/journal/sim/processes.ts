import type { Store } from '../../../src/journal/stores/store.ts'
import type { ThreadOptions } from '../../../src/journal/thread-options.ts'
import type { Random } from '../../laws/random.ts'
import type { Reader } from '../../strict/readers.ts'
import type { Acknowledged } from '../invariants/acknowledged.ts'
import type { Effects } from '../invariants/effects.ts'
import { Actor } from './actor.ts'
import { FakeResponses, speakers } from './fake-responses.ts'
import { makeTools } from './fake-tools.ts'
import { type FaultPlan, faultPlans } from './fault-plan.ts'
import { makeModel } from './model.ts'
import type { Observer } from './observer.ts'
import { VoidReasoning } from './rejections.ts'
import type { Wire } from './remote-store.ts'
import type { World } from './world.ts'

export interface ProcessesOptions {
  readonly world: World
  readonly observer: Observer
  readonly acknowledged: Acknowledged
  readonly effects: Effects
  readonly threads: readonly string[]
  /** The store as a process of that name reaches it. */
  storeFor(name: string): Store
  nextWord(): number
  onProblem(problem: string): void
}

/** All processes of a simulation, dead or alive, and what their world is like. */
export class Processes {
  readonly actors: Actor[] = []
  readonly faultPlan: FaultPlan
  /** Nothing goes wrong any more. */
  isCalm = false
  readonly #parts: ProcessesOptions
  readonly #random: Random
  /** The provider of most processes. */
  readonly #reader: Reader
  readonly #fakeResponses = new FakeResponses()
  readonly #voidReasoning = new VoidReasoning()

  constructor(parts: ProcessesOptions) {
    this.#parts = parts
    this.#random = parts.world.random
    this.faultPlan = this.#random.pick(faultPlans)
    this.#reader = this.#random.pick(speakers)
  }

  /** A new process, on any wire, with a worker or without. */
  spawn(works = this.#random.chance(0.8)): Actor {
    const random = this.#random
    const { world, acknowledged, threads, storeFor, onProblem, observer } = this.#parts
    const name = `p${this.actors.length + 1}`
    const reader = random.chance(0.5) ? this.#reader : random.pick(speakers)
    const actor = new Actor(name, {
      ...{ world, reader, acknowledged, onProblem, wire: this.#wire, store: storeFor(name) },
      options: this.#options(),
      hasErased: () => [...observer.threads.values()].some(({ isErased }) => isErased),
      failing: { onCut: random.pick(['fail', 'continue', 'retry'] as const), attempts: random.pick([1, 2, 3]) },
      skewMs: random.range(-1, 1) * this.faultPlan.skewMs,
      makeModel: process =>
        makeModel({
          ...{ process, random, reader, fakeResponses: this.#fakeResponses, refused: onProblem },
          voidReasoning: this.#voidReasoning,
          isCalm: () => this.isCalm,
        }),
      makeTools: process =>
        makeTools({
          ...{ process, effects: this.#parts.effects, nextOutput: this.#parts.nextWord },
          workMs: () => (this.isCalm ? 5 : random.pick([0, 1, 10, 200, 1_000])),
        }),
    })
    for (const thread of threads) actor.process.thread(thread)
    if (works) actor.work(random.range(1, 3), random.pick([200, 600]))
    this.actors.push(actor)
    return actor
  }

  /** Anybody who lives, and is awake if somebody is. */
  someone(): Actor {
    const alive = this.actors.filter(({ isAlive }) => isAlive)
    const awake = alive.filter(({ process }) => process.pausedUntil <= this.#parts.world.now)
    return this.#random.pick(awake.length > 0 ? awake : alive)
  }

  /** Who works on a thread, if somebody does. */
  ownerOf(thread: string): Actor | undefined {
    const watched = this.#parts.observer.named(thread)
    if (!watched?.state.turn || watched.state.turn.parked) return undefined
    const taken = watched.entries.findLastIndex(({ kind }) => kind === 'turn-start' || kind === 'turn-resume')
    return this.actors.find(({ isAlive, process }) => isAlive && process.name === watched.writers[taken])
  }

  /** Those whom nothing kept from their work. */
  get reliable(): ReadonlySet<string> {
    const { lossRate, travelMs } = this.faultPlan
    if (lossRate > 0 || Math.max(...travelMs) > 1) return new Set()
    const kept = this.actors.filter(({ process }) => !process.isDead && !process.hasSlept)
    return new Set(kept.map(({ process }) => process.name))
  }

  /** Those who may have had a result and could not tell. */
  get silenced(): string[] {
    const isLossy = this.faultPlan.lossRate > 0
    return this.actors.filter(({ process }) => process.isDead || isLossy).map(({ process }) => process.name)
  }

  #options(): ThreadOptions {
    const random = this.#random
    return {
      ...{ leaseMs, graceMs: random.pick([0, 400]), staleMs: random.pick([1_000, 60_000]), outputBytesMax: 500 },
      lateResults: random.pick(['note', 'tell'] as const),
    }
  }

  readonly #wire: Wire = {
    travelMs: () => this.#random.pick(this.isCalm ? calmMs : this.faultPlan.travelMs),
    fate: () => {
      const { lossRate } = this.faultPlan
      if (this.isCalm || lossRate === 0 || !this.#random.chance(lossRate)) return 'done'
      return this.#random.pick(['request-lost', 'answer-lost'] as const)
    },
    arrivesAfterCrash: () => this.#random.chance(0.5),
  }
}

export const leaseMs = 3_000

const calmMs = [0, 1, 3]
