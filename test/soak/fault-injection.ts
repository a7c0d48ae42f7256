import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../journal/stores/postgres-server.ts'
import { Random } from '../laws/random.ts'
import { Part } from './part.ts'
import type { Setting } from './settings.ts'
import type { World } from './world.ts'

/** The workers, of whom all but the first are killed again and again: what that one holds is measured. */
export class WorkerPool {
  readonly workers: Part[] = []
  /** What those have complained of who are gone. */
  readonly errors: string[] = []
  readonly #setting: Setting
  #hired = 0

  constructor(setting: Setting) {
    this.#setting = setting
  }

  async add(): Promise<void> {
    this.workers.push(await this.#newOne())
  }

  get steady(): Part {
    return this.workers[0]
  }

  async kill(place: number): Promise<void> {
    const victim = this.workers[place]
    await victim.kill()
    this.errors.push(...victim.errors)
  }

  async replace(place: number): Promise<void> {
    this.workers[place] = await this.#newOne()
  }

  #newOne(): Promise<Part> {
    return Part.start('worker', { ...this.#setting, seed: this.#setting.seed + this.#hired++ })
  }
}

/** Kills the process at this place with SIGKILL at random moments, and starts another one there, sooner or later. */
export async function killWorkers(world: World, pool: WorkerPool, place: number): Promise<void> {
  const random = new Random(world.seed * 5_003 + place)
  while (await pause(world, random.range(1_000, 4_000))) {
    // Half of them while it runs a tool whose service is asked afterwards.
    if (random.chance(0.5)) {
      await Promise.race([pool.workers[place].transfer(), pause(world, 5_000)])
      await sleep(random.range(0, 1_500))
    }
    await pool.kill(place)
    world.counters.count('workers killed')
    await sleep(random.range(0, 1_000))
    await pool.replace(place)
  }
}

/** Restarts PostgreSQL: it shuts down, or drops everything as in a crash. */
export async function restartServer(world: World, server: Server): Promise<void> {
  const random = new Random(world.seed * 7_001)
  const how = random.shuffle(['restart', 'crash'] as const)
  for (let times = 0; await pause(world, random.range(10_000, 25_000)); times++) {
    await server[how[times % 2]]()
    world.counters.count(how[times % 2] === 'crash' ? 'PostgreSQL crashed' : 'PostgreSQL restarted')
  }
}

/** False if it is over. */
async function pause({ over }: World, ms: number): Promise<boolean> {
  await sleep(ms, undefined, { signal: over }).catch(() => {})
  return !over.aborted
}
