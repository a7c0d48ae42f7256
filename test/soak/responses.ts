import { parentOf } from '../../src/journal/agents/child-name.ts'
import type { Entry } from '../../src/journal/entry.ts'
import { textOf } from '../journal/live/shown.ts'
import { reasonOf } from './count-outcomes.ts'
import type { Counters } from './counters.ts'
import { isSaid, taskOf } from './plan.ts'
import { type Dialect, fallbacks } from './settings.ts'

/** What became of the answers of models: which were recorded, which broke off, and how many failed before a turn did. */
export class Responses {
  readonly problems: string[] = []
  readonly #counters: Counters
  readonly #known = new Set<string>()
  /** By thread, those of its agents included: what it was asked, and how many attempts at least have failed. */
  readonly #asked = new Map<string, { readonly tasks: Set<string>; failed: number }>()

  constructor(counters: Counters) {
    this.#counters = counters
  }

  take(dialect: Dialect, name: string, entries: readonly Entry[]): void {
    const wrong = (what: string): unknown => this.problems.push(`${dialect}, ${name}: ${what}`)
    const root = `${dialect}, ${name.split('/agent:')[0]}`
    const asked = this.#asked.get(root) ?? { tasks: new Set(), failed: 0 }
    this.#asked.set(root, asked)
    const policy = parentOf(name) ? fallbacks.agent : fallbacks[dialect]
    /** The last response of the turn has broken off. */
    let isCut = false
    for (const entry of entries) {
      if (entry.kind === 'input-submit') asked.tasks.add(taskOf(entry.content) ?? '')
      if (entry.kind === 'turn-start') isCut = false
      if (entry.kind === 'turn-end' && entry.error && reasonOf(entry.error) !== 'journal down')
        asked.failed += attemptsOf(name, policy, isCut)
      if (entry.kind !== 'response-record') continue
      const [text, isWhole] = [textOf(entry), entry.finish !== 'cut']
      if (!isSaid(text, isWhole)) wrong(`no model has said "${text}"`)
      if (isWhole && this.#known.has(text)) wrong(`"${text}" is recorded twice`)
      this.#known.add(text)
      if (isCut && policy.onCut !== 'continue') wrong(`"${text}" follows an answer that broke off, and is recorded`)
      if (isCut) this.#counters.count('answers continued')
      if (entry.dialect !== dialect) this.#counters.count('answers of the other provider')
      isCut = !isWhole
    }
  }

  /** Turns that failed before as many attempts had failed as they are allowed. */
  end(): void {
    for (const [thread, { tasks, failed }] of this.#asked) {
      const injected = [...tasks].reduce((sum, task) => sum + this.#counters.of(`provider failed for ${task}`), 0)
      this.#counters.count('failed attempts of failed turns', failed)
      if (failed > injected)
        this.problems.push(
          `${thread}: its turns have failed after ${failed} attempts, and only ${injected} were to fail`,
        )
    }
  }
}

/** How many attempts at least have failed before a turn did. An AG-UI server, which runs the threads of clients too, asks once; with `fail` nothing is asked after text that broke off. */
function attemptsOf(
  name: string,
  { onCut, attempts }: (typeof fallbacks)[keyof typeof fallbacks],
  isCut: boolean,
): number {
  const isOnce = parentOf(name) ? onCut === 'fail' && isCut : name.startsWith('client')
  return isOnce ? 1 : attempts
}
