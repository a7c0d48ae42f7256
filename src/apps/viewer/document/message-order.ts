import type { Message, Part } from '../../../core/conversation.ts'
import { type Edit, front, type MessagePlace } from '../../../core/edit.ts'
import { present } from '../../../core/invariant.ts'

/**
 * An ordered list of messages that edits are applied to and undone on. The messages are kept in chunks of a few hundred: to find the row of
 * a message, only its own chunk is searched, and the lengths of the chunks before it are added.
 *
 * `#chunkOf` has the chunk of each key. `#own` has the parts that were copied since the messages were last returned, and may therefore be
 * changed in place: many edits can rewrite one message.
 */
export class MessageOrder {
  readonly #chunks: Chunk[] = []
  readonly #chunkOf = new Map<number, Chunk>()
  readonly #own = new Map<number, Part[]>()
  length: number

  constructor(messages: readonly Message[]) {
    this.length = messages.length
    for (let from = 0; from === 0 || from < messages.length; from += chunkLength)
      this.#addChunk(this.#chunks.length, messages.slice(from, from + chunkLength))
  }

  get messages(): readonly Message[] {
    this.#own.clear()
    return this.#chunks.flatMap(({ messages }) => messages)
  }

  get(key: number): Message | undefined {
    const chunk = this.#chunkOf.get(key)
    return chunk?.messages[placeIn(chunk, key)]
  }

  /** The row of a message, or undefined if it is not there. */
  rowOf(key: number): number | undefined {
    const chunk = this.#chunkOf.get(key)
    if (!chunk) return undefined
    let row = placeIn(chunk, key)
    for (const before of this.#chunks) {
      if (before === chunk) break
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
        this.#remove(edit.message.key)
        break
      case 'move': {
        const message = this.#remove(edit.key)
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
    const known = after === front ? undefined : this.#chunkOf.get(after)
    const chunk = known ?? present(this.#chunks[0], 'a list of messages has at least one chunk')
    const at = chunk === this.#chunkOf.get(after) ? placeIn(chunk, after) + 1 : 0
    chunk.messages.splice(at, 0, message)
    this.#chunkOf.set(message.key, chunk)
    this.length++
    if (chunk.messages.length > 2 * chunkLength)
      this.#addChunk(this.#chunks.indexOf(chunk) + 1, chunk.messages.splice(chunkLength))
  }

  #remove(key: number): Message | undefined {
    const chunk = this.#chunkOf.get(key)
    if (!chunk) return undefined
    const [message] = chunk.messages.splice(placeIn(chunk, key), 1)
    this.#chunkOf.delete(key)
    this.length--
    return message
  }

  #put(key: number, message: Message): void {
    const chunk = this.#chunkOf.get(key)
    if (chunk) chunk.messages[placeIn(chunk, key)] = message
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

  #addChunk(at: number, messages: Message[]): void {
    const chunk = { messages }
    for (const { key } of messages) this.#chunkOf.set(key, chunk)
    this.#chunks.splice(at, 0, chunk)
  }
}

interface Chunk {
  readonly messages: Message[]
}

const chunkLength = 256

const placeIn = ({ messages }: Chunk, key: number): number => messages.findIndex(message => message.key === key)
