import { Fragments } from '../answers/fragments.ts'
import { isReference } from '../answers/reference.ts'
import { isObject, type JsonObject, objects, stringOf } from '../json.ts'
import { BoundedMemory, sizeOf } from './bounded-memory.ts'
import { Threads } from './threads.ts'

/**
 * What a server remembers between requests: stored responses, conversations, and what it has signed. A server may run for
 * days, so what was not used for longest is forgotten beyond a limit.
 */
export class ServerState {
  /** Facts known from third-party code only are enforced as well. */
  readonly pedantic: boolean
  /** Signatures and ids of other servers are rejected as well, and not only those that a strict server made. */
  readonly verify: boolean
  readonly threads: Threads
  readonly fragments: Fragments
  /** Shared by all accounts. */
  readonly #memory: BoundedMemory
  /** The state of all accounts together; undefined if this is it. */
  readonly #all: ServerState | undefined
  readonly #accounts = new Map<string, ServerState>()
  readonly #responses = new Map<string, Stored>()
  readonly #conversations = new Map<string, JsonObject[]>()
  readonly #items = new Map<string, JsonObject>()
  readonly #signed = new Map<string, { text: string; issuer: string }>()
  readonly #places = new Map<unknown, { output: JsonObject[]; index: number }>()

  constructor(pedantic = false, verify = false, all?: ServerState, memory = new BoundedMemory()) {
    this.pedantic = pedantic
    this.verify = verify
    this.#memory = all ? all.#memory : memory
    this.threads = new Threads(this.#memory)
    this.fragments = all?.fragments ?? new Fragments(this.#memory)
    this.#all = all
  }

  /** The state of one account. A request without a key sees that of all accounts. */
  of(account: string | undefined): ServerState {
    if (account === undefined) return this
    const known = this.#accounts.get(account) ?? new ServerState(this.pedantic, this.verify, this)
    this.#accounts.set(account, known)
    this.#memory.keep(known, 0, () => this.#accounts.delete(account))
    return known
  }

  /** Whether another account of this server has the item, or made the signature. */
  isElsewhere(idOrSignature: string): boolean {
    return this.#all?.item(idOrSignature) !== undefined || this.#all?.signed(idOrSignature) !== undefined
  }

  /** All items of a stored response, oldest first: those of earlier responses, its input, its output. */
  items(responseId: string): JsonObject[] | undefined {
    const chain: Stored[] = []
    let stored = this.#responses.get(responseId)
    if (!stored) return undefined
    for (; stored; stored = stored.previous) chain.push(stored)
    return chain.reverse().flatMap(({ input, output }) => [...input, ...output])
  }

  /** A stored item by its own id. */
  item(id: string): JsonObject | undefined {
    return this.#items.get(id)
  }

  /** The items before and after a stored item in the same response of this server. */
  around(id: string): { before: JsonObject[]; after: JsonObject[] } {
    const { output, index } = this.#places.get(id) ?? { output: [], index: 0 }
    return { before: output.slice(0, index), after: output.slice(index + 1) }
  }

  /** A stored response, with the items of its input. */
  response(id: string): { body: JsonObject; input: JsonObject[] } | undefined {
    return this.#responses.get(id)
  }

  /** Deletes a response. Returns whether it existed; what was built on it is kept. */
  forget(id: string): boolean {
    this.#all?.forget(id)
    const stored = this.#responses.get(id)
    if (stored) this.#forgetResponse(id, stored)
    return stored !== undefined
  }

  conversation(id: string): JsonObject[] | undefined {
    return this.#conversations.get(id)
  }

  /**
   * Everything the model sees: the items of `previous_response_id` or `conversation`, then the input, with references
   * resolved.
   */
  context(body: unknown): JsonObject[] {
    if (!isObject(body)) return []
    const before = this.items(previousOf(body) ?? '') ?? this.conversation(conversationIdOf(body) ?? '') ?? []
    return [...before, ...this.input(body)]
  }

  /** The input of a Responses request as items, with known references resolved. */
  input(body: JsonObject): JsonObject[] {
    if (typeof body.input === 'string')
      return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: body.input }] }]
    return objects(body.input).map(item => (isReference(item) ? (this.item(stringOf(item.id) ?? '') ?? item) : item))
  }

  /** The text for which this server made the signature or the encrypted content; undefined if it did not make it. */
  signed(signature: string): string | undefined {
    return this.#signed.get(signature)?.text
  }

  /** `issuer` is the provider and the model that the signature is made for. */
  sign(signature: string, text: string, issuer: string): void {
    const signed = { text, issuer }
    this.#signed.set(signature, signed)
    this.#memory.keep(signed, signature.length + text.length, () => this.#signed.delete(signature))
    this.#all?.sign(signature, text, issuer)
  }

  /**
   * Whether this server made a signature for this account, provider and model. Other signatures are trusted, since recorded
   * histories contain them, unless `verify` is set or a strict server made them.
   */
  verifies(signature: string, issuer: string | undefined): boolean {
    const own = this.#signed.get(signature)
    return own ? own.issuer === issuer : !this.verify && !isMadeByStrict(signature)
  }

  openConversation(id: string, items: JsonObject[]): void {
    this.#all?.openConversation(id, [...items])
    this.#conversations.set(id, items)
    this.#remember(items)
    this.#memory.keep(items, sizeOf(items), () => {
      this.#conversations.delete(id)
      this.#forgetItems(items)
    })
  }

  /** Stores a response unless the request has `store: false`. A conversation grows either way, but not after a failure. */
  keep(request: JsonObject, response: JsonObject): void {
    this.#all?.keep(request, response)
    const [input, output] = [this.input(request), objects(response.output)]
    const isFailed = response.status === 'failed'
    if (!isFailed) this.#extendConversation(conversationIdOf(request) ?? '', [...input, ...output])
    if (request.store === false) return
    const previous = this.#responses.get(previousOf(request) ?? '')
    const id = String(response.id)
    const stored = { body: response, input, output, previous }
    this.#responses.set(id, stored)
    this.#remember([...input, ...output])
    for (const [index, { id }] of output.entries()) this.#places.set(id, { output, index })
    this.#memory.keep(stored, sizeOf(input) + sizeOf(response), () => this.#forgetResponse(id, stored))
  }

  #extendConversation(id: string, items: readonly JsonObject[]): void {
    const known = this.#conversations.get(id)
    if (!known) return
    for (const item of items) known.push(item)
    this.#memory.keep(known, sizeOf(items), () => {
      this.#conversations.delete(id)
      this.#forgetItems(known)
    })
  }

  #forgetResponse(id: string, stored: Stored): void {
    this.#memory.release(stored)
    this.#responses.delete(id)
    this.#forgetItems([...stored.input, ...stored.output])
    for (const { id } of stored.output) if (this.#places.get(id)?.output === stored.output) this.#places.delete(id)
  }

  /** Items that were stored again since are kept. */
  #forgetItems(items: readonly JsonObject[]): void {
    for (const item of items) if (this.#items.get(String(item.id)) === item) this.#items.delete(String(item.id))
  }

  #remember(items: JsonObject[]): void {
    for (const item of items) if (typeof item.id === 'string') this.#items.set(item.id, item)
  }
}

/** Part of every signature that a strict server makes, which distinguishes it from those of real providers. */
export const strictMark = 'strict'

const isMadeByStrict = (signature: string): boolean => /^[a-zA-Z0-9]{7,15}strict[0-9a-f]{32}/.test(signature)

interface Stored {
  body: JsonObject
  input: JsonObject[]
  output: JsonObject[]
  previous: Stored | undefined
}

export const previousOf = (body: JsonObject): string | undefined => stringOf(body.previous_response_id)

export const conversationIdOf = ({ conversation }: JsonObject): string | undefined =>
  stringOf(isObject(conversation) ? conversation.id : conversation)
