import { loadAntiphon } from '../antiphon.ts'
import { faultKinds, type Message, writeBroken, writeHealthy } from '../histories.ts'
import { findFault } from '../judge.ts'
import { compete } from '../measure.ts'
import type { Choice } from '../task.ts'

export interface HealRow {
  history: string
  ratio: number
  parseMs: number
  /** How much the pass or the parsing differs from itself. */
  noise: number
}

const size = { messages: 10_000, bytes: 1024 }
const options = { for: 'openai' }

/** One pass over a long history, as a multiple of `JSON.parse` of the same bytes. */
export async function run(_: unknown, { quick }: Choice): Promise<HealRow[]> {
  const effort = quick ? { samples: 50, budgetMs: 2_500 } : { samples: 100, budgetMs: 6_000 }
  const { heal } = await loadAntiphon()
  warmUp(heal)
  const rows: HealRow[] = []

  const healthy = writeHealthy(size)
  const { times, noise } = await compete(
    {
      parse: { run: () => JSON.parse(healthy.json) },
      pass: { run: () => heal(healthy.history, options), vary: sample => swapWords(healthy.history, sample) },
    },
    effort,
  )
  if (heal(healthy.history, options) !== healthy.history)
    throw new Error('a healthy history came back as another array')
  mustLook(heal, healthy.history)
  rows.push({ history: 'healthy', ratio: times.pass / times.parse, parseMs: times.parse, noise })

  for (const kind of faultKinds) {
    const { json, history } = writeBroken(kind, size)
    const fault = findFault(heal(history, options))
    if (fault !== undefined) throw new Error(`${kind}: still malformed: ${fault}`)
    const { times, noise } = await compete(
      {
        parse: { run: () => JSON.parse(json) },
        pass: { run: () => heal(history, options), vary: sample => swapWords(history, sample) },
      },
      effort,
    )
    rows.push({ history: kind, ratio: times.pass / times.parse, parseMs: times.parse, noise })
  }
  return rows
}

type Heal = (history: Message[], options: { for: string }) => Message[]

/** The compiler sees every kind of history before the first sample, as it would in a program that has run for a while. */
function warmUp(heal: Heal): void {
  const small = { messages: 400, bytes: 300 }
  for (let round = 0; round < 20; round++) {
    heal(writeHealthy(small, round).history, options)
    for (const kind of faultKinds) heal(writeBroken(kind, small, round).history, options)
  }
}

/** Two user messages change places: no two samples see the same history. */
function swapWords(history: Message[], sample: number): void {
  const users = 1 + 8 * (sample % 100)
  const [one, other] = [users, users + 8]
  if (history[one]?.role !== 'user' || history[other]?.role !== 'user') return
  ;[history[one], history[other]] = [history[other], history[one]]
}

/** A pass that remembers its answer by the array's identity would be fast and wrong. */
function mustLook(heal: Heal, history: Message[]): void {
  const at = history.findLastIndex(message => message.role === 'tool')
  const [taken] = history.splice(at, 1)
  if (heal(history, options) === history) throw new Error('heal did not look at the history again')
  history.splice(at, 0, taken as Message)
}
