import type { Codec } from '../../codecs/codec.ts'
import type { Message, Part } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import { acceptsId, mintId } from '../../core/ids.ts'
import type { Call } from '../fold.ts'

/**
 * The ids of calls as a reader takes them. An id that it would refuse, that an earlier call has had, or that another wire did not
 * need, gives way to one that is made from the journal's own id of the call. So each step is drawn by itself, and what is
 * healed behind it need not look at the whole thread.
 */
export class CallIds {
  readonly #facts: Facts
  /** By the id that the provider gave: the first call that had it. */
  readonly #first = new Map<string, string>()

  constructor(facts: Facts) {
    this.#facts = facts
  }

  /** The messages of a response with the ids of its calls; `isForeign` if they come from another wire. */
  apply(codec: Codec, messages: readonly unknown[], calls: readonly Call[], isForeign: boolean): readonly unknown[] {
    const taken = new Set<string>()
    const wanted = calls.map(call => {
      const id = this.#idOf(call, isForeign)
      const own = id !== '' && taken.has(id) ? this.#made(call.id) : id
      taken.add(own)
      return own
    })
    if (wanted.every((id, index) => id === calls[index].providerId)) return messages
    const decoded = codec.decode(messages)
    /** By the id that was given: those that its calls have now, in order. A result is for the first that has none yet. */
    const renamed = new Map<string, string[]>()
    let next = 0
    const withId = (part: Part): Part => {
      if ((part.kind !== 'call' && part.kind !== 'result') || part.by !== 'client') return part
      const ids = renamed.get(part.id) ?? []
      renamed.set(part.id, ids)
      if (part.kind === 'call') ids.push(wanted[next])
      const id = part.kind === 'call' ? wanted[next++] : ids.shift()
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

  #idOf({ id, providerId }: Call, isForeign: boolean): string {
    if (providerId === '') return isForeign ? this.#made(id) : ''
    if (!this.#first.has(providerId)) this.#first.set(providerId, id)
    const isTaken = this.#facts.uniqueIds === 'history' && this.#first.get(providerId) !== id
    return isTaken || !acceptsId(this.#facts.ids, providerId) ? this.#made(id) : providerId
  }

  #made(id: string): string {
    return mintId(id, this.#facts.ids, new Set())
  }
}
