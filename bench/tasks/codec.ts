import type { CodecId } from '../../src/codecs/index.ts'
import { loadAntiphon } from '../antiphon.ts'
import { everyFault, type Message, type Written, writeBroken, writeHealthy } from '../histories.ts'
import { type Contestant, compete } from '../measure.ts'
import { inShapeOf } from '../shapes.ts'
import type { Choice } from '../task.ts'

/** What one codec costs, each as a multiple of `JSON.parse` of the same bytes. */
export interface CodecRow {
  codec: CodecId
  healthy: number
  broken: number
  /** To the newest half of the messages, and to half of the tokens. */
  trimmed: number
  trimmedByTokens: number
  /** From openai-chat into this one, and back. */
  into?: number
  outOf?: number
  /** How much some work or the parsing differs from itself, at most. */
  noise: number
}

const size = { messages: 10_000, bytes: 1024 }

export async function run(codec: CodecId, { quick }: Choice): Promise<CodecRow> {
  const { heal, trim, convert } = await loadAntiphon()
  const effort = quick ? { samples: 10, budgetMs: 1_000 } : { samples: 30, budgetMs: 2_000 }
  const chat = shaped('openai-chat', writeHealthy(size), 1)
  const options = { format: codec }
  const seed = plainSeed(codec, history => heal(history, options) === history)
  const [healthy, broken] = [
    shaped(codec, writeHealthy(size), seed),
    shaped(codec, writeBroken(everyFault, size), seed),
  ]
  if (heal(healthy.history, options) !== healthy.history) throw new Error('the healthy history is not healthy')
  const healed = heal(broken.history, options)
  if (healed === broken.history || heal(healed, options) !== healed) throw new Error('the broken history is not healed')
  warmUp(codec, seed, history => heal(history, options))

  let worst = 0
  const ratio = async (json: string, pass: Contestant['run']) => {
    const { times, noise } = await compete({ parse: { run: () => JSON.parse(json) }, pass: { run: pass } }, effort)
    worst = Math.max(worst, noise)
    return times.pass / times.parse
  }
  const half = { maxMessages: healthy.history.length >> 1 }
  const halfOfTokens = { maxTokens: healthy.json.length >> 3 }
  const row = {
    codec,
    healthy: await ratio(healthy.json, () => heal(healthy.history, options)),
    broken: await ratio(broken.json, () => heal(broken.history, options)),
    trimmed: await ratio(healthy.json, () => trim(healthy.history, { ...options, ...half })),
    trimmedByTokens: await ratio(healthy.json, () => trim(healthy.history, { ...options, ...halfOfTokens })),
    ...(codec !== 'openai-chat' && {
      into: await ratio(chat.json, () => convert(chat.history, { from: 'openai-chat', to: codec })),
      outOf: await ratio(healthy.json, () => convert(healthy.history, { from: codec, to: 'openai-chat' })),
    }),
  }
  return { ...row, noise: worst }
}

function shaped(codec: CodecId, { history }: Written, seed: number): Written {
  const json = JSON.stringify(inShapeOf(codec, [...history, next], seed))
  return { json, history: JSON.parse(json) as Message[] }
}

/** Some readers want the user to speak last. */
const next: Message = { role: 'user', content: 'And then?' }

const small = { messages: 400, bytes: 300 }

/** A shape has many spellings; the first one in which the codec's reader has nothing to repair. */
function plainSeed(codec: CodecId, isHealthy: (history: Message[]) => boolean): number {
  for (let seed = 1; seed <= 100; seed++) if (isHealthy(shaped(codec, writeHealthy(small), seed).history)) return seed
  throw new Error('no spelling of the healthy history is healthy')
}

function warmUp(codec: CodecId, seed: number, heal: (history: Message[]) => unknown): void {
  for (let round = 0; round < 10; round++) {
    heal(shaped(codec, writeHealthy(small, round), seed).history)
    heal(shaped(codec, writeBroken(everyFault, small, round), seed).history)
  }
}
