import type { Calls } from './call-places.ts'
import type { Codec } from './codecs/codec.ts'
import type { Stretch } from './survey.ts'

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

  /** Whether no call outside of its stretch has one of the ids. */
  haveTheirCalls(calls: Calls): boolean {
    if (this.#owners.size === 0) return true
    const places = calls.find(this.#owners.keys())
    for (const [id, stretch] of this.#owners) {
      if (places.get(id)?.some(place => !isIn(stretch, place))) return false
    }
    return true
  }

  /** Whether no item outside of its stretch has one of the ids. */
  haveTheirItems(history: readonly unknown[], { itemId }: Codec): boolean {
    if (!itemId || this.#owners.size === 0) return true
    for (let place = 0; place < history.length; place++) {
      const owner = this.#owners.get(itemId(history[place]) ?? '')
      if (owner && !isIn(owner, place)) return false
    }
    return true
  }
}

const isIn = ({ from, to }: Stretch, place: number): boolean => place >= from && place < to
