import type { IdIndex } from './id-index.ts'
import type { Segment } from './scan-segments.ts'

/** Ids that each belong to one segment of a history. */
export class SegmentIds {
  readonly #owners = new Map<string, Segment>()

  /** Returns false if one of the ids belongs to another segment already. */
  claim(segment: Segment, ids: readonly string[]): boolean {
    for (const id of ids) {
      const owner = this.#owners.get(id)
      if (owner && owner !== segment) return false
      if (!owner) this.#owners.set(id, segment)
    }
    return true
  }

  /** Whether all occurrences of the ids are inside their segments. */
  areLocal(idIndex: IdIndex, kind: 'calls' | 'items'): boolean {
    if (this.#owners.size === 0) return true
    const places = idIndex[kind]
    for (const [id, { from, to }] of this.#owners) {
      if (places.get(id)?.some(index => index < from || index >= to)) return false
    }
    return true
  }
}
