import { findStores } from '../../../../doctor/find-stores.ts'
import type { System } from '../../../../doctor/system.ts'
import type { Totals } from './doctor-text.ts'

/** The progress of examining many stores: a bar on a terminal, otherwise an occasional line. */
export class DoctorProgress {
  readonly #stream: NodeJS.WriteStream
  readonly #total: number
  readonly #start = performance.now()
  #last = performance.now()
  #isShown = false

  constructor(stream: NodeJS.WriteStream, paths: readonly string[], systems: readonly System[]) {
    this.#stream = stream
    this.#total = stream.isTTY ? countPaths(paths, systems) : 0
  }

  show(totals: Totals): void {
    const now = performance.now()
    const isLeft = !this.#stream.isTTY || this.#isShown
    if (isLeft && now - this.#last < (this.#stream.isTTY ? 100 : 10_000)) return
    this.#last = now
    const { conversations, visited, broken, healed } = totals
    const rate = Math.round((conversations * 1000) / (now - this.#start))
    const words = `${conversations} conversations, ${broken} broken${healed > 0 ? `, ${healed} healed` : ''}, ${rate} a second`
    if (!this.#stream.isTTY) this.#stream.write(`antiphon: ${words} so far\n`)
    else {
      const share = Math.min(visited / Math.max(this.#total, 1), 1)
      const filled = Math.round(share * barWidth)
      const bar = '#'.repeat(filled).padEnd(barWidth, '-')
      const line = `[${bar}] ${visited} of ${this.#total}  ${words}`
      this.#stream.write(`\r\u001b[K${line.slice(0, (this.#stream.columns || 80) - 1)}`)
      this.#isShown = true
    }
  }

  clear(): void {
    if (this.#isShown) this.#stream.write('\r\u001b[K')
    this.#isShown = false
  }
}

const barWidth = 24

function countPaths(paths: readonly string[], systems: readonly System[]): number {
  let count = 0
  for (const path of paths) for (const _ of findStores(path, systems)) count++
  return count
}
