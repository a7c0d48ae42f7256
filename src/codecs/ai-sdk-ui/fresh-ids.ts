import { isRecord } from '../../core/conversation.ts'

/**
 * Ids of made-up messages, derived from their place and from the id of the message before it, so that they are the same in
 * every process and stay the same as the history grows.
 */
export class FreshIds {
  readonly #history: readonly unknown[]
  readonly #given = new Map<number, number>()

  constructor(history: readonly unknown[]) {
    this.#history = history
  }

  /** `place` is the index of the first message after it. */
  at(place: number): string {
    const before = this.#idAt(place - 1)
    const stem = `antiphon-${place}${before === '' ? '' : `-${before}`}`
    for (;;) {
      const count = (this.#given.get(place) ?? 0) + 1
      this.#given.set(place, count)
      const id = count === 1 ? stem : `${stem}-${count}`
      if (!this.#isTaken(id, place)) return id
    }
  }

  /** An id of this form was made earlier only for a message at this place. */
  #isTaken(id: string, place: number): boolean {
    for (let index = place; this.#idAt(index).startsWith('antiphon-'); index++)
      if (this.#idAt(index) === id) return true
    return false
  }

  #idAt(index: number): string {
    const message = this.#history[index]
    return isRecord(message) && typeof message.id === 'string' ? message.id : ''
  }
}
