import type { Message } from '@ag-ui/core'

/**
 * The list of messages that the client has, as far as the server can know it: what it sent, and what was told since. A
 * snapshot replaces messages in their place, takes away what it leaves out and appends what is new, so it cannot move
 * anything. Where the order is not that of the thread, the list is emptied first.
 */
export class ClientCopy {
  #messages: readonly { readonly id: string; readonly role: Message['role'] }[]

  constructor(messages: readonly Message[]) {
    this.#messages = messages
  }

  has(id: string): boolean {
    return this.#messages.some(message => message.id === id)
  }

  append(id: string, role: Message['role']): void {
    if (!this.has(id)) this.#messages = [...this.#messages, { id, role }]
  }

  /** A result stands behind the message with its call, and behind the results that are there. */
  answer(id: string, callMessage: string): void {
    const list = [...this.#messages]
    let at = list.findIndex(message => message.id === callMessage) + 1
    if (at === 0) at = list.length
    while (list[at]?.role === 'tool') at++
    list.splice(at, 0, { id, role: 'tool' })
    this.#messages = list
  }

  /** The messages with the results of each step in the order in which the client has them: they came as they came, and any order will do. */
  arrange(messages: readonly Message[]): Message[] {
    const places = new Map(this.#messages.map(({ id }, place) => [id, place]))
    const placeOf = ({ id }: Message): number => places.get(id) ?? places.size
    const arranged: Message[] = []
    for (let start = 0; start < messages.length; ) {
      let end = start + 1
      while (messages[start].role === 'tool' && messages[end]?.role === 'tool') end++
      const group = messages.slice(start, end).sort((one, other) => placeOf(one) - placeOf(other))
      for (const message of group) arranged.push(message)
      start = end
    }
    return arranged
  }

  /** Whether the client has all of these, in this order. */
  fits(messages: readonly Message[]): boolean {
    const wanted = new Set(messages.map(({ id }) => id))
    const there = this.#messages.filter(({ id }) => wanted.has(id))
    return there.length === messages.length && there.every(({ id }, place) => messages[place].id === id)
  }

  /** The snapshots that bring the client to these messages, in this order. */
  bringTo(messages: readonly Message[]): Message[][] {
    const hasReasoning = messages.some(({ role }) => role === 'reasoning')
    const wanted = new Set(messages.map(({ id }) => id))
    const kept = this.#messages.filter(({ id, role }) => wanted.has(id) || (role === 'reasoning' && !hasReasoning))
    const there = new Set(kept.map(({ id }) => id))
    const after = [...kept.map(({ id }) => id), ...messages.map(({ id }) => id).filter(id => !there.has(id))]
    const order = after.filter(id => wanted.has(id))
    const isInOrder = messages.every(({ id }, index) => order[index] === id)
    this.#messages = isInOrder ? [...kept, ...messages.filter(({ id }) => !there.has(id))] : messages
    if (isInOrder) return [[...messages]]
    return [hasReasoning ? [emptyThought] : [], [...messages]]
  }
}

/** A snapshot takes reasoning away only if it has some of its own. */
const emptyThought: Message = { id: 'antiphon-empty', role: 'reasoning', content: '' }
