import type { Message, Part } from '../../../core/conversation.ts'
import { type Edit, front, type MessagePlace } from '../../../core/edit.ts'

/**
 * Messages in their order, under edits that are done and undone one by one. Unlike a draft it knows at which row a message
 * stands: it keeps them in shelves of a few hundred, so that a row costs a walk over the shelves and one of them.
 *
 * `#shelfOf` has the shelf of each key. `#own` has the parts that were copied for rewriting since the messages were last
 * given out, which may therefore be changed in place: many edits can rewrite one message.
 */
export class Order {
  readonly #shelves: Shelf[] = []
  readonly #shelfOf = new Map<number, Shelf>()
  readonly #own = new Map<number, Part[]>()
  length: number

  constructor(messages: readonly Message[]) {
    this.length = messages.length
    for (let from = 0; from === 0 || from < messages.length; from += shelfLength)
      this.#setUp(this.#shelves.length, messages.slice(from, from + shelfLength))
  }

  get messages(): readonly Message[] {
    this.#own.clear()
    return this.#shelves.flatMap(({ messages }) => messages)
  }

  get(key: number): Message | undefined {
    const shelf = this.#shelfOf.get(key)
    return shelf?.messages[placeIn(shelf, key)]
  }

  /** The row of a message, or undefined if it is not there. */
  rowOf(key: number): number | undefined {
    const shelf = this.#shelfOf.get(key)
    if (!shelf) return undefined
    let row = placeIn(shelf, key)
    for (const before of this.#shelves) {
      if (before === shelf) break
      row += before.messages.length
    }
    return row
  }

  apply(edit: Edit): void {
    switch (edit.kind) {
      case 'insert':
        this.#insert(edit.after, edit.message)
        break
      case 'remove':
        this.#take(edit.message.key)
        break
      case 'move': {
        const message = this.#take(edit.key)
        if (message) this.#insert(edit.to, message)
        break
      }
      case 'replace':
        this.#own.delete(edit.before.key)
        this.#put(edit.before.key, edit.after)
        break
      case 'rewrite':
        this.#ownParts(edit.key)[edit.index] = edit.after
        break
    }
  }

  #insert(after: MessagePlace, message: Message): void {
    const shelf = (after === front ? undefined : this.#shelfOf.get(after)) ?? this.#shelves[0]
    const at = shelf === this.#shelfOf.get(after) ? placeIn(shelf, after) + 1 : 0
    shelf.messages.splice(at, 0, message)
    this.#shelfOf.set(message.key, shelf)
    this.length++
    if (shelf.messages.length > 2 * shelfLength)
      this.#setUp(this.#shelves.indexOf(shelf) + 1, shelf.messages.splice(shelfLength))
  }

  #take(key: number): Message | undefined {
    const shelf = this.#shelfOf.get(key)
    if (!shelf) return undefined
    const [message] = shelf.messages.splice(placeIn(shelf, key), 1)
    this.#shelfOf.delete(key)
    this.length--
    return message
  }

  #put(key: number, message: Message): void {
    const shelf = this.#shelfOf.get(key)
    if (shelf) shelf.messages[placeIn(shelf, key)] = message
  }

  #ownParts(key: number): Part[] {
    const owned = this.#own.get(key)
    if (owned) return owned
    const message = this.get(key) as Message
    const parts = [...message.parts]
    this.#put(key, { ...message, parts })
    this.#own.set(key, parts)
    return parts
  }

  #setUp(at: number, messages: Message[]): void {
    const shelf = { messages }
    for (const { key } of messages) this.#shelfOf.set(key, shelf)
    this.#shelves.splice(at, 0, shelf)
  }
}

interface Shelf {
  readonly messages: Message[]
}

const shelfLength = 256

const placeIn = ({ messages }: Shelf, key: number): number => messages.findIndex(message => message.key === key)
