import type { Message } from '@ag-ui/core'

/**
 * The messages of the client, as far as the server knows: those it sent, and the events since then. A snapshot replaces messages in place,
 * removes missing ones and appends new ones, so it cannot move a message. If the order differs from the thread, the list is emptied first.
 */
export class ClientCopy {
  #messages: { readonly id: string; readonly role: Message['role'] }[] = []
  #ids = new Set<string>()
  /** The result that was added last, and its place. */
  #last: { readonly id: string; readonly callMessage: string; readonly at: number } | undefined

  constructor(messages: readonly Message[]) {
    this.#replace(messages)
  }

  #replace(messages: readonly { readonly id: string; readonly role: Message['role'] }[]): void {
    this.#messages = [...messages]
    this.#ids = new Set(messages.map(({ id }) => id))
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  append(id: string, role: Message['role']): void {
    if (this.has(id)) return
    this.#messages.push({ id, role })
    this.#ids.add(id)
  }

  /** Inserts a result after the message with its call, and after the results that are already there. */
  answer(id: string, callMessage: string): void {
    const list = this.#messages
    const last = this.#last
    // The results of a step usually follow each other: then the search goes on after the last one.
    const isNext = last?.callMessage === callMessage && list[last.at]?.id === last.id
    let at = 1 + (isNext ? last.at : list.findIndex(message => message.id === callMessage))
    if (at === 0) at = list.length
    while (list[at]?.role === 'tool') at++
    if (at === list.length) list.push({ id, role: 'tool' })
    else list.splice(at, 0, { id, role: 'tool' })
    this.#last = { id, callMessage, at }
    this.#ids.add(id)
  }

  /** The messages, with the results of each step in the client's order: results may arrive in any order. */
  arrange(messages: readonly Message[]): Message[] {
    const places = new Map(this.#messages.map(({ id }, place) => [id, place]))
    const placeOf = ({ id }: Message): number => places.get(id) ?? places.size
    const arranged: Message[] = []
    for (let start = 0; start < messages.length; ) {
      let end = start + 1
      while (messages[start]?.role === 'tool' && messages[end]?.role === 'tool') end++
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
    return there.length === messages.length && there.every(({ id }, place) => messages[place]?.id === id)
  }

  /** The snapshots after which the client has these messages, in this order. */
  snapshotsFor(messages: readonly Message[]): Message[][] {
    const hasReasoning = messages.some(({ role }) => role === 'reasoning')
    const wanted = new Set(messages.map(({ id }) => id))
    const kept = this.#messages.filter(({ id, role }) => wanted.has(id) || (role === 'reasoning' && !hasReasoning))
    const there = new Set(kept.map(({ id }) => id))
    const after = [...kept.map(({ id }) => id), ...messages.map(({ id }) => id).filter(id => !there.has(id))]
    const order = after.filter(id => wanted.has(id))
    const isInOrder = messages.every(({ id }, index) => order[index] === id)
    this.#replace(isInOrder ? [...kept, ...messages.filter(({ id }) => !there.has(id))] : messages)
    if (isInOrder) return [[...messages]]
    return [emptied(messages), [...messages]]
  }
}

/** A snapshot that removes the messages of the client, before one with these messages. It removes reasoning only if it contains some. */
export const emptied = (messages: readonly Message[]): Message[] =>
  messages.some(({ role }) => role === 'reasoning') ? [emptyThought] : []

const emptyThought: Message = { id: 'antiphon-empty', role: 'reasoning', content: '' }
