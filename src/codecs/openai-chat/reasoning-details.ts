import { isRecord } from '../../core/conversation.ts'
import { GrowingText } from '../shared/growing-text.ts'

/**
 * The reasoning of a message in parts, which must be sent back in the same order. Later parts with the same type and index
 * extend a part; encrypted ones arrive whole.
 */
export class ReasoningDetails {
  readonly #parts: Part[] = []
  readonly #latest = new Map<string, Part>()

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  add(list: unknown): void {
    for (const raw of Array.isArray(list) ? list : []) if (isRecord(raw)) this.#addPart(raw)
  }

  get value(): unknown[] {
    return this.#parts.map(({ fields, text, summary }) => ({
      ...Object.fromEntries(fields),
      ...(text.isEmpty ? {} : { text: text.text }),
      ...(summary.isEmpty ? {} : { summary: summary.text }),
    }))
  }

  #addPart({ text, summary, ...fields }: Readonly<Record<string, unknown>>): void {
    const index = typeof fields.index === 'number' ? fields.index : undefined
    const key = `${index} ${typeof fields.type === 'string' ? fields.type : ''}`
    const known = 'data' in fields ? undefined : this.#known(key, index !== undefined)
    const part = known ?? { fields: new Map(), text: new GrowingText(), summary: new GrowingText() }
    if (!known) this.#parts.push(part)
    this.#latest.set(key, part)
    for (const [name, value] of Object.entries(fields))
      if ((value !== undefined && value !== null) || !part.fields.has(name)) part.fields.set(name, value)
    part.text.add(text)
    part.summary.add(summary)
  }

  /** Without an index only the previous part can continue. */
  #known(key: string, isIndexed: boolean): Part | undefined {
    const known = this.#latest.get(key)
    return isIndexed || known === this.#parts.at(-1) ? known : undefined
  }
}

interface Part {
  readonly fields: Map<string, unknown>
  readonly text: GrowingText
  readonly summary: GrowingText
}
