import { AntiphonError } from '../../errors.ts'

/**
 * Who writes to a thread locks its row, and who comes next waits for that inside the server, on a connection that nobody
 * else can use meanwhile. So few are let through to one thread, and the others wait here, in the order they came.
 */
export class Lines {
  readonly #abreastMax: number
  readonly #waitMs: number
  readonly #lines = new Map<number, Line>()

  /** Who has waited for `waitMs` gives up, and nothing of it was sent. */
  constructor(abreastMax: number, waitMs: number) {
    this.#abreastMax = abreastMax
    this.#waitMs = waitMs
  }

  async pass<T>(thread: number, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(thread) ?? { abreast: 1, passing: 0, waiting: new Set() }
    this.#lines.set(thread, line)
    if (line.passing < line.abreast) line.passing++
    else await this.#place(line)
    try {
      const result = await work()
      // Where one has come through there is room for one more, so a row that is locked all along takes up one connection.
      line.abreast = Math.min(line.abreast + 1, this.#abreastMax)
      return result
    } finally {
      this.#leave(thread, line)
    }
  }

  #leave(thread: number, line: Line): void {
    line.passing--
    for (const enter of line.waiting) {
      if (line.passing >= line.abreast) return
      line.passing++
      enter()
    }
    if (line.passing === 0) this.#lines.delete(thread)
  }

  /** Resolved by who makes room, and has counted us in. */
  #place({ waiting }: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (then: () => void) => () => {
        clearTimeout(timer)
        waiting.delete(enter)
        then()
      }
      const enter = leave(resolve)
      const timer = setTimeout(
        leave(() => reject(heldUp())),
        this.#waitMs,
      )
      waiting.add(enter)
    })
  }
}

interface Line {
  /** How many are let through at once. */
  abreast: number
  passing: number
  /** In the order they came. */
  readonly waiting: Set<() => void>
}

const heldUp = (): AntiphonError =>
  new AntiphonError('journal-busy', 'earlier writes to the same thread are held up', {
    hint: 'Try again, and look for who keeps the thread locked in the database. Nothing of this write was stored.',
  })
