import { type CodecId, codecs } from './codecs/index.ts'
import { recognition } from './codecs/recognition.ts'

/**
 * The shape a history is written in, or undefined if it is none that is known. A shape that fits several is read as
 * `preferred` if that is one of them, and otherwise as the first of the codecs.
 */
export function detect(history: unknown, preferred?: string): CodecId | undefined {
  if (!Array.isArray(history)) return undefined
  const detection = new Detection()
  for (const message of history) if (detection.push(message)) break
  return detection.verdict(preferred)
}

/** Detects message by message, for histories that grow. `#fits` counts what each codec could read, likely messages twice. */
export class Detection {
  readonly #fits = new Map<CodecId, number>()
  #settled: CodecId | undefined

  /** True once a message has settled it. */
  push(message: unknown): boolean {
    if (this.#settled) return true
    for (const id of ids) {
      const verdict = recognition[id](message)
      if (verdict === 'yes') this.#settled = id
      if (verdict === 'yes') return true
      if (verdict !== 'no') this.#fits.set(id, (this.#fits.get(id) ?? 0) + (verdict === 'likely' ? 2 : 1))
    }
    return false
  }

  verdict(preferred?: string): CodecId | undefined {
    if (this.#settled) return this.#settled
    const best = Math.max(...this.#fits.values())
    const fitting = ids.filter(id => this.#fits.get(id) === best)
    return fitting.find(id => id === preferred) ?? fitting[0]
  }
}

const ids = Object.keys(codecs) as CodecId[]
