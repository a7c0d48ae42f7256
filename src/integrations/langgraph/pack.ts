import { hash as hashOf } from 'node:crypto'
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint'
import { isRecord } from '../../core/conversation.ts'

/**
 * A value split into parts, as JSON. A string is the hash of a part; a pair is a small serialised value; `l` is a list, whose
 * items are `d` levels down; `r` is a record. Equal content is one part: a history that grows by a message costs that message
 * and a few hashes, however often it is written (content-addressed storage; the parts form a Merkle tree).
 */
export type Packed = string | readonly [type: string, text: string] | PackedList | PackedRecord

export interface PackedList {
  readonly l: readonly Packed[]
  readonly d?: number
}

export interface PackedRecord {
  readonly r: readonly (readonly [key: string, value: Packed])[]
}

/** For each message object: the hash of its part, and a fingerprint of the content that it had when it was stored or read. */
export type MessageMemory = WeakMap<object, { readonly fingerprint: string; readonly hash: string }>

/** Splits values into parts, and collects the new parts. */
export class Packer {
  readonly parts = new Map<string, Uint8Array>()
  readonly #serde: SerializerProtocol
  /** Parts that are stored already. */
  readonly #stored: ReadonlySet<string>
  /** Results for objects seen before. Valid for one write only, since objects may change afterwards. */
  readonly #seen = new Map<unknown, Promise<Packed>>()

  readonly #memory: MessageMemory | undefined

  constructor(serde: SerializerProtocol, stored: ReadonlySet<string> = new Set(), memory?: MessageMemory) {
    this.#serde = serde
    this.#stored = stored
    this.#memory = memory
  }

  async pack(value: unknown, depth = 0): Promise<Packed> {
    if (typeof value !== 'object' || value === null) return this.#leaf(value)
    const known = this.#seen.get(value)
    if (known) return known
    const packing = this.#divide(value, depth)
    this.#seen.set(value, packing)
    return packing
  }

  async #divide(value: object, depth: number): Promise<Packed> {
    if (isMessage(value)) return this.#message(value)
    if (depth === depthMax || !holdsMessages(value, depth)) return this.#leaf(value)
    if (Array.isArray(value)) return this.#tree(await this.#packAll(value, depth))
    const fields = isSend(value) ? sendFields(value) : value
    const packed: [key: string, value: Packed][] = []
    for (const [key, field] of Object.entries(fields)) packed.push([key, await this.pack(field, depth + 1)])
    return this.#part({ r: packed })
  }

  async #packAll(values: readonly unknown[], depth: number): Promise<Packed[]> {
    const packed: Packed[] = []
    for (const value of values) packed.push(await this.pack(value, depth + 1))
    return packed
  }

  /** A list as a tree of small nodes, so that one more item changes one node per level. */
  #tree(items: readonly Packed[]): Packed {
    let level = items
    let depth = 0
    while (level.length > fanOut) {
      level = chunks(level).map(chunk => this.#part({ l: chunk }))
      depth++
    }
    return this.#part(depth === 0 ? { l: level } : { l: level, d: depth })
  }

  /** A message that was stored before and has not changed since is not serialised again. */
  async #message(message: object): Promise<Packed> {
    const fingerprint = this.#memory && fingerprintOf(message)
    const known = fingerprint === undefined ? undefined : this.#memory?.get(message)
    if (known?.fingerprint === fingerprint && known && this.#stored.has(known.hash)) return known.hash
    const packed = await this.#leaf(message)
    if (fingerprint !== undefined && typeof packed === 'string')
      this.#memory?.set(message, { fingerprint, hash: packed })
    return packed
  }

  async #leaf(value: unknown): Promise<Packed> {
    const [type, data] = await this.#serde.dumpsTyped(value)
    // A function or a symbol is serialised as an empty text, which cannot be parsed. In objects JSON omits it; here it becomes null.
    if (type === 'json' && data.length === 0) return ['json', 'null']
    if (data.length <= inlineMax && type === 'json') return [type, Buffer.from(data).toString()]
    return this.#store(Buffer.concat([Buffer.from(`${encodeURIComponent(type)}\n`), data]))
  }

  #part(node: PackedList | PackedRecord): string {
    return this.#store(Buffer.from(`\n${JSON.stringify(node)}`))
  }

  #store(data: Uint8Array): string {
    const hash = hashOf('sha256', data, 'buffer').subarray(0, 16).toString('base64url')
    if (!this.#stored.has(hash)) this.parts.set(hash, data)
    return hash
  }
}

/** Notes which part an object was read from, if it is a message. */
export function remember(memory: MessageMemory, value: unknown, hash: string): void {
  const fingerprint = isMessage(value) ? fingerprintOf(value) : undefined
  if (fingerprint !== undefined) memory.set(value as object, { fingerprint, hash })
}

/** All fields that a message serialises, in a form that is quick to make. Undefined if it has none. */
function fingerprintOf(message: object): string | undefined {
  const fields = message as Readonly<Record<string, unknown>>
  const { lc_kwargs: written } = fields
  if (!isRecord(written)) return undefined
  try {
    return JSON.stringify(Object.keys(written).map(key => [key, key in fields ? fields[key] : written[key]]))
  } catch {
    return undefined
  }
}

/** The content of a part: a node with further parts, or a serialised value. */
export function readPart(data: Uint8Array): PackedList | PackedRecord | { type: string; data: Uint8Array } {
  const end = data.indexOf(newline)
  const rest = data.subarray(end + 1)
  if (end === 0) return JSON.parse(Buffer.from(rest).toString())
  return { type: decodeURIComponent(Buffer.from(data.subarray(0, end)).toString()), data: rest }
}

const newline = 10
const fanOut = 16
const inlineMax = 64

/** Deep enough for the messages in the state that is sent to a task. */
const depthMax = 5

function chunks<T>(list: readonly T[]): T[][] {
  const found: T[][] = []
  for (let from = 0; from < list.length; from += fanOut) found.push(list.slice(from, from + fanOut))
  return found
}

/** Whether a list, a plain object or a `Send` to a task contains messages. */
function holdsMessages(value: object, depth: number): boolean {
  if (depth > depthMax) return false
  if (Array.isArray(value))
    return value.some(item => isMessage(item) || (isRecord(item) && holdsMessages(item, depth + 1)))
  if (!isSend(value) && !isPlain(value)) return false
  return Object.values(value).some(inner => isObject(inner) && !isMessage(inner) && holdsMessages(inner, depth + 1))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isMessage = (value: unknown): value is object => isObject(value) && '_getType' in value

const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** LangGraph stores a `Send` by these fields alone. */
const isSend = (value: object): boolean => (value as { lg_name?: unknown }).lg_name === 'Send'

function sendFields(value: object): object {
  const { node, args, timeout } = value as Record<string, unknown>
  return { node, args, ...(timeout === undefined ? {} : { timeout }) }
}
