import type { Message, Part } from './conversation.ts'
import { AntiphonError } from './errors.ts'
import type { Settings } from './settings.ts'

/**
 * One atomic, invertible change, as JSON data. A place is the key of the message before it (`front` for none), never an
 * index, so the cost of a long list of edits is proportional to what it changes.
 */
export type Edit =
  | { readonly kind: 'insert'; readonly after: MessagePlace; readonly message: Message }
  | { readonly kind: 'remove'; readonly after: MessagePlace; readonly message: Message }
  | { readonly kind: 'move'; readonly key: number; readonly from: MessagePlace; readonly to: MessagePlace }
  | { readonly kind: 'replace'; readonly before: Message; readonly after: Message }
  | {
      readonly kind: 'rewrite'
      readonly key: number
      readonly index: number
      readonly before: Part
      readonly after: Part
    }
  | { readonly kind: 'set'; readonly before: Settings; readonly after: Settings }

/** The key of the message before the place, or `front`. */
export type MessagePlace = number | typeof front

export const front = -1

/** The messages after the edits. The edits must have been made for these messages. */
export function applyEdits(messages: readonly Message[], edits: readonly Edit[]): readonly Message[] {
  const draft = new Draft(messages)
  for (const edit of edits) draft.apply(edit)
  return draft.messages
}

/** The edits that undo these. */
export const invertEdits = (edits: readonly Edit[]): Edit[] => edits.map(invertOne).reverse()

function invertOne(edit: Edit): Edit {
  switch (edit.kind) {
    case 'insert':
      return { ...edit, kind: 'remove' }
    case 'remove':
      return { ...edit, kind: 'insert' }
    case 'move':
      return { kind: 'move', key: edit.key, from: edit.to, to: edit.from }
    case 'replace':
    case 'set':
      return { ...edit, before: edit.after, after: edit.before } as Edit
    case 'rewrite':
      return { ...edit, before: edit.after, after: edit.before }
  }
}

/**
 * Messages being edited: a doubly linked list over keys, every edit in constant time. `#nodes` has the messages by key;
 * the node under `#edge` is both ends of the list. `#flat` caches the list as an array until the next edit. `#own` has
 * the parts that this draft copied since it was last read, which it may change in place.
 */
export class Draft {
  readonly edits: Edit[] = []
  readonly #nodes = new Map<MessagePlace, Node>()
  readonly #edge: MessagePlace
  readonly #own = new Map<number, Part[]>()
  #flat: readonly Message[] | undefined
  #fresh: number
  #settings: Settings | undefined

  /**
   * `edge` is the place before the first message. Made-up messages get keys from `fresh` on, by default the first free
   * key.
   */
  constructor(messages: readonly Message[], edge: MessagePlace = front, fresh?: number, settings?: Settings) {
    this.#edge = edge
    this.#settings = settings
    let last: Node = { message: undefined, previous: this.#edge, next: this.#edge }
    this.#nodes.set(this.#edge, last)
    let place = this.#edge
    let highest = this.#edge
    for (const message of messages) {
      const node: Node = { message, previous: place, next: this.#edge }
      this.#nodes.set(message.key, node)
      last.next = message.key
      last = node
      place = message.key
      if (place > highest) highest = place
    }
    this.#node(this.#edge).previous = place
    this.#flat = messages
    this.#fresh = fresh ?? highest + 1
  }

  get messages(): readonly Message[] {
    if (this.#flat) return this.#flat
    const flat: Message[] = []
    for (let node = this.#node(this.#node(this.#edge).next); node.message; node = this.#node(node.next))
      flat.push(node.message)
    this.#flat = flat
    this.#own.clear()
    return flat
  }

  /** The settings of the request, if they are known. */
  get settings(): Settings | undefined {
    return this.#settings
  }

  set(changes: Partial<Settings>): void {
    const before = this.#settings
    if (before) this.apply({ kind: 'set', before, after: { ...before, ...changes } })
  }

  /** The key that the next made-up message gets. */
  get fresh(): number {
    return this.#fresh
  }

  get(key: number): Message | undefined {
    this.#own.delete(key)
    return this.#nodes.get(key)?.message
  }

  before(key: number): MessagePlace {
    return this.#node(key).previous
  }

  /** Inserts a made-up message after a place and returns its key. */
  insert(after: MessagePlace, message: Omit<Message, 'key'>): number {
    const key = this.#fresh
    this.apply({ kind: 'insert', after, message: { key, ...message } })
    return key
  }

  remove(key: number): void {
    const message = this.get(key)
    if (message) this.apply({ kind: 'remove', after: this.before(key), message })
  }

  move(key: number, to: MessagePlace): void {
    const from = this.before(key)
    if (from !== to && key !== to) this.apply({ kind: 'move', key, from, to })
  }

  /** Replaces one part of a message, at the index it has now. */
  rewrite(key: number, index: number, after: Part): void {
    const before = this.#nodes.get(key)?.message?.parts[index]
    if (before) this.apply({ kind: 'rewrite', key, index, before, after })
  }

  /** Replaces a message by the result of `change`, called with its current state. */
  update(key: number, change: (message: Message) => Message): void {
    const before = this.get(key)
    if (!before) return
    const after = change(before)
    if (after !== before) this.apply({ kind: 'replace', before, after })
  }

  apply(edit: Edit): void {
    switch (edit.kind) {
      case 'insert':
        this.#link(edit.message.key, edit.message, edit.after)
        if (edit.message.key >= this.#fresh) this.#fresh = edit.message.key + 1
        break
      case 'remove':
        this.#unlink(edit.message.key)
        break
      case 'move':
        this.#link(edit.key, this.#unlink(edit.key), edit.to)
        break
      case 'replace':
        this.#node(edit.before.key).message = edit.after
        this.#own.delete(edit.before.key)
        break
      case 'rewrite':
        this.#ownParts(edit.key)[edit.index] = edit.after
        break
      case 'set':
        this.#settings = edit.after
        break
    }
    this.#flat = undefined
    this.edits.push(edit)
  }

  #ownParts(key: number): Part[] {
    const owned = this.#own.get(key)
    if (owned) return owned
    const node = this.#node(key)
    const message = node.message as Message
    const parts = [...message.parts]
    node.message = { ...message, parts }
    this.#own.set(key, parts)
    return parts
  }

  #link(key: number, message: Message | undefined, after: MessagePlace): void {
    const before = this.#node(after)
    const next = before.next
    this.#nodes.set(key, { message, previous: after, next })
    this.#node(next).previous = key
    before.next = key
  }

  #unlink(key: number): Message | undefined {
    const { message, previous, next } = this.#node(key)
    this.#node(previous).next = next
    this.#node(next).previous = previous
    this.#nodes.delete(key)
    return message
  }

  #node(place: MessagePlace): Node {
    const node = this.#nodes.get(place)
    if (node) return node
    throw new AntiphonError('foreign-edit', `no message has the key ${place}`, {
      hint: 'apply edits only to the history they were made for',
    })
  }
}

interface Node {
  message: Message | undefined
  previous: MessagePlace
  next: MessagePlace
}

/** Removes parts from a message, and the message itself if no part is left. */
export function dropParts(draft: Draft, key: number, parts: readonly Part[]): void {
  const removed = new Set(parts)
  const rest = draft.get(key)?.parts.filter(part => !removed.has(part)) ?? []
  if (rest.length === 0) draft.remove(key)
  else draft.update(key, message => ({ ...message, parts: rest }))
}
