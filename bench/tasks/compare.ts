import { cases } from '../cases.ts'
import { everyFault, type Message, type Written, writeBroken, writeHealthy } from '../histories.ts'
import { judge, type Verdict } from '../judge.ts'
import { compete } from '../measure.ts'
import { Inexpressible, type Subject, type Trial } from '../subject.ts'
import type { Choice } from '../task.ts'

export interface Comparison {
  subject: string
  via: string
  verdicts: Record<string, Outcome>
  speeds: Speed[]
}

export interface Outcome {
  verdict: Verdict['verdict'] | 'throws'
  why?: string
}

export interface Speed {
  history: string
  messages: number
  /** As a multiple of `JSON.parse` of the same bytes; absent if it throws, or would take minutes. */
  ratio?: number
  outcome?: Outcome
}

const effort = { samples: 15, budgetMs: 4_000 }
/** A pass that would take longer, if it grows with the square, is left out. */
const patienceMs = { healthy: 120_000, broken: 30_000 }

/** What a subject makes of each small history, and what it costs on the long ones. */
export async function run(module: string, { quick }: Choice): Promise<Comparison> {
  const { load } = (await import(new URL(`../${module}`, import.meta.url).href)) as { load(): Promise<Subject> }
  const subject = await load()
  const verdicts: Comparison['verdicts'] = {}
  for (const { name, history, reader } of cases) {
    const copy = structuredClone(history)
    const outcome = await outcomeOf(copy, () => subject.prepare(copy, reader))
    if (outcome) verdicts[name] = outcome
  }

  const speeds: Speed[] = []
  for (const kind of ['healthy', 'broken'] as const) {
    let smallMs = 0
    for (const messages of quick ? [1_000] : [1_000, 10_000]) {
      const speed: Speed = { history: kind, messages }
      speeds.push(speed)
      if (smallMs * (messages / 1_000) ** 2 > patienceMs[kind]) continue
      const written = write(kind, messages)
      const trial = subject.prepare(written.history, 'openai')
      const outcome = await outcomeOf(written.history, () => trial)
      if (outcome) speed.outcome = outcome
      if (outcome?.verdict === 'throws') continue
      const { times } = await compete(
        { parse: { run: () => JSON.parse(written.json) }, pass: { run: () => trial.run() } },
        effort,
      )
      speed.ratio = times.pass / times.parse
      smallMs = times.pass
    }
  }
  return { subject: subject.name, via: subject.via, verdicts, speeds }
}

function write(kind: string, messages: number): Written {
  const size = { messages, bytes: 1024 }
  return kind === 'healthy' ? writeHealthy(size) : writeBroken(everyFault, size)
}

/** Undefined where the subject's shape cannot say the history. */
async function outcomeOf(history: Message[], prepare: () => Trial): Promise<Outcome | undefined> {
  try {
    const trial = prepare()
    return judge(history, trial.read(await trial.run()))
  } catch (error) {
    if (error instanceof Inexpressible) return undefined
    return { verdict: 'throws', why: error instanceof Error ? error.message : String(error) }
  }
}
