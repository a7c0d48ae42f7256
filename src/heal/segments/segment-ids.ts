import type { Stretch } from './scan-segments.ts'

/** Ids that belong to one stretch of a history each. */
export class Owners {
  readonly #owners = new Map<string, Stretch>()

  /** False if one of the ids belongs to another stretch already. */
  take(stretch: Stretch, ids: readonly string[]): boolean {
    for (const id of ids) {
      const owner = this.#owners.get(id)
      if (owner && owner !== stretch) return false
      if (!owner) this.#owners.set(id, stretch)
    }
    return true
  }

  /** Whether what has one of the ids stands nowhere but in its stretch. */
  haveAll(places: ReadonlyMap<string, readonly number[]>): boolean {
    for (const [id, { from, to }] of this.#owners) {
      if (places.get(id)?.some(place => place < from || place >= to)) return false
    }
    return true
  }
}
