import { loadAntiphon } from '../antiphon.ts'
import { everyFault, writeBroken, writeHealthy } from '../histories.ts'
import { compete } from '../measure.ts'

export interface ScaleRow {
  messages: number
  healthy: Cost
  broken: Cost
}

export interface Cost {
  /** As a multiple of `JSON.parse` of the same bytes. */
  ratio: number
  nsPerMessage: number
  /** How much the pass or the parsing differs from itself. */
  noise: number
}

/** The cost of one pass over a history of this many messages of about 200 bytes. */
export async function run(messages: number): Promise<ScaleRow> {
  const { heal } = await loadAntiphon()
  const size = { messages, bytes: 200 }
  const effort = { samples: messages > 100_000 ? 5 : 20, budgetMs: messages > 100_000 ? 15_000 : 6_000 }
  const measure = async (write: () => { json: string; history: Parameters<typeof heal>[0] }): Promise<Cost> => {
    const { json, history } = write()
    const { times, noise } = await compete(
      { parse: { run: () => JSON.parse(json) }, pass: { run: () => heal(history, { for: 'openai' }) } },
      effort,
    )
    return { ratio: times.pass / times.parse, nsPerMessage: (times.pass * 1e6) / history.length, noise }
  }
  const healthy = await measure(() => writeHealthy(size))
  const broken = await measure(() => writeBroken(everyFault, size))
  return { messages, healthy, broken }
}
