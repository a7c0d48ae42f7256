import type { Codec } from '../../codecs/codec.ts'
import type { Message, Part } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import { acceptsId, mintId } from '../../core/ids.ts'
import { Queue } from '../../core/queue.ts'
import type { JournalCall } from '../fold.ts'

/**
 * The call ids that the target accepts. An id that the target rejects, that an earlier call had, or that is missing because
 * another format has no ids, is replaced by one made from the journal's own id of the call. So each step can be rendered by
 * itself, and healing the next one does not need the whole thread.
 */
export class CallIds {
  readonly #facts: Facts
  /** By provider id: the first call that had it. */
  readonly #first = new Map<string, string>()

  constructor(facts: Facts) {
    this.#facts = facts
  }

  /** The messages of a response with accepted call ids. `isForeign`: they are in another format. */
  apply(
    codec: Codec,
    messages: readonly unknown[],
    calls: readonly JournalCall[],
    isForeign: boolean,
  ): readonly unknown[] {
    const taken = new Set<string>()
    const wanted = calls.map(call => {
      const id = this.#idOf(call, isForeign)
      const own = id !== '' && taken.has(id) ? this.#made(call.id) : id
      taken.add(own)
      return own
    })
    if (calls.every((call, index) => wanted[index] === call.providerId)) return messages
    const decoded = codec.decode(messages)
    /** By provider id: the new ids of its calls, in order. A result belongs to the first that has none yet. */
    const renamed = new Map<string, Queue<string>>()
    let next = 0
    const withId = (part: Part): Part => {
      if ((part.kind !== 'call' && part.kind !== 'result') || part.by !== 'client') return part
      const ids = renamed.get(part.id) ?? new Queue()
      renamed.set(part.id, ids)
      const id = part.kind === 'call' ? wanted[next++] : ids.take()
      if (part.kind === 'call' && id !== undefined) ids.push(id)
      if (id === undefined || id === part.id) return part
      const { numeric: _, ...rest } = part
      return { ...rest, id }
    }
    const written = decoded.messages.map((message): Message => {
      const parts = message.parts.map(withId)
      return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts }
    })
    return codec.encode(written, decoded, messages)
  }

  #idOf({ id, providerId }: JournalCall, isForeign: boolean): string {
    if (providerId === '') return isForeign ? this.#made(id) : ''
    if (!this.#first.has(providerId)) this.#first.set(providerId, id)
    const isTaken = this.#facts.uniqueIds === 'history' && this.#first.get(providerId) !== id
    return isTaken || !acceptsId(this.#facts.ids, providerId) ? this.#made(id) : providerId
  }

  #made(id: string): string {
    return mintId(id, this.#facts.ids, new Set())
  }
}
