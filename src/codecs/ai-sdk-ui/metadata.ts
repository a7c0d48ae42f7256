import { isRecord } from '../../core/conversation.ts'

/** Metadata of a message. Later values are merged over earlier ones, nested objects included. */
export class Metadata {
  #known: unknown

  add(metadata: unknown): void {
    if (metadata !== undefined && metadata !== null) this.#known = laid(this.#known, metadata, 0)
  }

  get value(): unknown {
    return built(this.#known)
  }
}

class Holder extends Map<string, unknown> {}

function laid(before: unknown, now: unknown, depth: number): unknown {
  if (!isRecord(now) || depth > depthMax) return now
  const holder = before instanceof Holder ? before : new Holder()
  for (const [key, value] of Object.entries(now))
    if (value !== undefined) holder.set(key, laid(holder.get(key), value, depth + 1))
  return holder
}

const built = (known: unknown): unknown =>
  known instanceof Holder ? Object.fromEntries([...known].map(([key, value]) => [key, built(value)])) : known

/** Deeper than the metadata of any real message. */
const depthMax = 100
