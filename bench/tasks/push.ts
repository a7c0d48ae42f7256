import { type Healer, loadAntiphon } from '../antiphon.ts'
import { everyFault, type Message, writeBroken, writeHealthy } from '../histories.ts'
import { NoiseControl } from '../measure.ts'
import type { Choice } from '../task.ts'

export interface PushRow {
  what: string
  /** By the history's length: the cost of one more message, relative to the shortest history. */
  relative: { messages: number; ratio: number }[]
  baseNs: number
  /** How much the push onto some history differs from itself. */
  noise: number
}

const lengths = [100, 1_000, 10_000, 100_000]
const bytes = 300
/** Whole turns, so that every batch holds the same kinds of messages. */
const batchSize = 8 * 16
const samples = { quick: 30, thorough: 150 }

/** What one more message costs a healer that holds a long history. */
export async function run(_: unknown, { quick }: Choice): Promise<PushRow[]> {
  const { createHealer } = await loadAntiphon()
  const rounds = samples[quick ? 'quick' : 'thorough']
  const news = writeHealthy({ messages: batchSize * (rounds + 1), bytes }, 99).history.slice(1)
  const rows: PushRow[] = []
  for (const reads of [undefined, 'history', 'live'] as const) {
    if (reads !== undefined && createHealer()[reads] === undefined) continue
    for (const broken of [false, true]) {
      const holders = lengths.map(messages => {
        const { history } = broken ? writeBroken(everyFault, { messages, bytes }) : writeHealthy({ messages, bytes })
        return new Holder(messages, () => fill(createHealer({ for: 'openai', format: 'openai-chat' }), history))
      })
      for (let sample = 0; sample < rounds; sample++) {
        const batch = news.slice(sample * batchSize, (sample + 1) * batchSize)
        for (const holder of holders) holder.take(batch, reads, sample)
      }
      const base = holders[0]?.best ?? Number.NaN
      rows.push({
        what: `${whats[reads ?? 'push']}, ${broken ? 'broken' : 'healthy'} prefix`,
        relative: holders.map(({ messages, best }) => ({ messages, ratio: best / base })),
        baseNs: (base * 1e6) / batchSize,
        noise: Math.max(...holders.map(({ control }) => control.noise)),
      })
    }
  }
  return rows
}

const whats = { push: 'push', history: 'push, then read a copy (history)', live: 'push, then read it (live)' }

/** The best time of a batch of single pushes onto a history of this length. */
class Holder {
  best = Number.POSITIVE_INFINITY
  readonly control = new NoiseControl()
  readonly messages: number
  readonly #open: () => Healer
  #healer: Healer

  constructor(messages: number, open: () => Healer) {
    this.messages = messages
    this.#open = open
    this.#healer = open()
  }

  take(batch: Message[], reads: 'history' | 'live' | undefined, sample: number): void {
    if (this.#healer.history.length > this.messages * 1.2) this.#healer = this.#open()
    const healer = this.#healer
    let seen = 0
    const start = performance.now()
    for (const message of batch) {
      healer.push(message)
      if (reads) seen += healer[reads]?.length ?? 0
    }
    const time = performance.now() - start
    this.best = Math.min(this.best, time)
    this.control.add(sample, time)
    if (reads && seen === 0) throw new Error('the healer holds no history')
  }
}

function fill(healer: Healer, prefix: Message[]): Healer {
  for (let at = 0; at < prefix.length; at += 1_000) healer.push(...prefix.slice(at, at + 1_000))
  return healer
}
