import { Random } from '../../laws/random.ts'

/** The process of an event. The events of dead processes never come, and those of paused ones wait. */
export interface Life {
  isDead: boolean
  pausedUntil: number
}

interface Event {
  readonly at: number
  readonly tie: number
  readonly life: Life
  readonly run: () => void | Promise<void>
}

/** Always there. */
export const immortal: Life = { isDead: false, pausedUntil: 0 }

/**
 * A world with its own time. Everything that anybody waits for is an event in it, and the next one comes only when the code
 * that the last one woke has nothing more to do. So whatever happens at one moment happens in an order that the seed
 * chooses, and the same seed gives the same run. Without a seed events of one moment come in the order of their making.
 */
export class World {
  now = 10_000_000
  /** How far the clock of the machine is ahead of what has passed in truth. */
  aheadMs = 0
  steps = 0
  readonly random: Random
  readonly #isShuffled: boolean
  #events: Event[] = []
  #made = 0

  constructor(seed?: number) {
    this.random = new Random(seed ?? 0)
    this.#isShuffled = seed !== undefined
  }

  /** What the clock of the machine says, which may be set back and forth. Timers do not go by it. */
  get clock(): number {
    return this.now + this.aheadMs
  }

  /** Something happens after so long; the answer takes it back. */
  schedule(ms: number, run: () => void | Promise<void>, life: Life = immortal): () => void {
    const tie = this.#isShuffled ? this.random.next() : this.#made++
    const event: Event = { at: this.now + ms, tie, life, run }
    this.#events.push(event)
    return () => {
      this.#events = this.#events.filter(other => other !== event)
    }
  }

  /** Time for the processes of a world that wait and live. */
  wait(ms: number, life: Life = immortal): Promise<void> {
    return new Promise(resolve => this.schedule(ms, resolve, life))
  }

  /** Lets things happen until it is over, and tells whether it came so far: within that time, and while something was left to happen. */
  async runUntil(isOver: () => boolean, msMax: number): Promise<boolean> {
    const end = this.now + msMax
    await quiet()
    while (!isOver()) {
      const event = this.#next()
      if (!event || readyAt(event) > end) return false
      this.#events = this.#events.filter(other => other !== event && !other.life.isDead)
      this.now = Math.max(this.now, readyAt(event))
      this.steps++
      await event.run()
      await quiet()
    }
    return true
  }

  get isEmpty(): boolean {
    return this.#next() === undefined
  }

  #next(): Event | undefined {
    let next: Event | undefined
    for (const event of this.#events) if (!event.life.isDead && (!next || isBefore(event, next))) next = event
    return next
  }
}

const readyAt = ({ at, life }: Event): number => Math.max(at, life.pausedUntil)

const isBefore = (one: Event, other: Event): boolean => {
  const [first, second] = [readyAt(one), readyAt(other)]
  return first === second ? one.tie < other.tie : first < second
}

/** When no promise is left that could go on by itself, also after a pause of a worker for one round of the event loop. No time is waited for. */
const quiet = (): Promise<void> => new Promise(resolve => setImmediate(() => setImmediate(resolve)))
