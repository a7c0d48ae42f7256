import { MessageCopier } from './message-copier.ts'

/**
 * Frozen copies of the messages of a thread. Nobody can change them, so all reads share them and each message is copied once. The list
 * is a new one at every read, and may be changed. Bytes cannot be frozen: a message that contains some is copied for every read.
 */
export class FrozenMessages {
  readonly #copier = new MessageCopier()
  #list: readonly unknown[] | undefined
  #settled = 0
  readonly #originals: unknown[] = []
  readonly #copies: unknown[] = []
  /** The indexes of the messages that contain bytes. */
  readonly #withBytes = new Set<number>()

  /** As long as `messages` is the same list, its first `settled` messages stay the same. */
  read(messages: readonly unknown[], settled: number): unknown[] {
    const from = messages === this.#list ? this.#settled : 0
    this.#list = messages
    this.#settled = settled
    for (let index = from; index < messages.length; index++) {
      const message = messages[index]
      if (index < this.#originals.length && this.#originals[index] === message) continue
      this.#originals[index] = message
      this.#copies[index] = this.#copier.copyOne(message)
      if (freeze(this.#copies[index])) this.#withBytes.delete(index)
      else this.#withBytes.add(index)
    }
    this.#originals.length = messages.length
    this.#copies.length = messages.length
    const list = this.#copies.slice()
    for (const index of this.#withBytes)
      if (index < messages.length) list[index] = this.#copier.copyOne(messages[index])
      else this.#withBytes.delete(index)
    return list
  }
}

/** Freezes a copy with all that was copied in it. False if it contains bytes. */
function freeze(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (value instanceof Uint8Array) return false
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return true
  let isFrozen = true
  for (const field of Object.values(value)) if (!freeze(field)) isFrozen = false
  Object.freeze(value)
  return isFrozen
}
