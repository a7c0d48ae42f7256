import type { SerializerProtocol } from '@langchain/langgraph-checkpoint'
import { AntiphonError } from '../../core/errors.ts'
import { type MessageMemory, type Packed, type PackedList, type PackedRecord, readPart, remember } from './pack.ts'

type Part = ReturnType<typeof readPart>

/** Puts values together again, with parts that are read level by level. */
export class Unpacker {
  readonly #serde: SerializerProtocol
  readonly #read: (hashes: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>
  readonly #parts = new Map<string, Part>()
  readonly #values = new Map<string, Promise<unknown>>()
  /** How many values may be made of what was loaded: parts that name each other could multiply without end. */
  #valuesLeft = valuesMin
  readonly #memory: MessageMemory | undefined

  constructor(
    serde: SerializerProtocol,
    read: (hashes: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>,
    memory?: MessageMemory,
  ) {
    this.#serde = serde
    this.#read = read
    this.#memory = memory
  }

  /** The parts that were read. */
  get stored(): Iterable<string> {
    return this.#parts.keys()
  }

  /** Reads all that some values are made of, in one go for each level. `length` is that of the values as text. */
  async load(values: readonly Packed[], length: number): Promise<void> {
    this.#valuesLeft += valuesPerByte * length
    let wanted = new Set(values.flatMap(namesIn))
    while (wanted.size > 0) {
      const missing = [...wanted].filter(hash => !this.#parts.has(hash))
      const found = missing.length > 0 ? await this.#read(missing) : new Map<string, Uint8Array>()
      wanted = new Set()
      for (const hash of missing) {
        const data = found.get(hash)
        if (!data) throw missingPart(hash)
        this.#valuesLeft += valuesPerByte * data.length
        const { part, names } = checkedPart(hash, data)
        this.#parts.set(hash, part)
        for (const name of names) wanted.add(name)
      }
    }
  }

  /** Counts values that are made or looked at. Throws if they are far more than what was loaded. */
  spend(values: number): void {
    this.#valuesLeft -= values
    if (this.#valuesLeft < 0) throw multiplyingParts()
  }

  /** A value, of which all was loaded. */
  async unpack(packed: Packed, depth = 0): Promise<unknown> {
    this.spend(1)
    if (depth > depthMax) throw multiplyingParts()
    if (typeof packed === 'string') return this.#value(packed, depth)
    if (isPair(packed)) return this.#serde.loadsTyped(packed[0], packed[1])
    return this.#whole(packed, depth)
  }

  /** Messages that stand in several places are one object, as they were; lists and records are everybody's own. */
  async #value(hash: string, depth: number): Promise<unknown> {
    const part = this.#parts.get(hash)
    if (!part) throw missingPart(hash)
    if (!('type' in part)) return this.#whole(part, depth)
    const known = this.#values.get(hash)
    if (known) return known
    const loading = this.#serde.loadsTyped(part.type, part.data)
    this.#values.set(hash, loading)
    const value = await loading
    if (this.#memory) remember(this.#memory, value, hash)
    return value
  }

  async #whole(node: PackedList | PackedRecord, depth: number): Promise<unknown> {
    if ('l' in node) return Promise.all(this.#items(node.l, node.d ?? 0).map(item => this.unpack(item, depth + 1)))
    const entries = node.r.map(async ([key, value]) => [key, await this.unpack(value, depth + 1)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }

  #items(list: readonly Packed[], depth: number): readonly Packed[] {
    this.spend(list.length)
    if (depth > depthMax) throw multiplyingParts()
    if (depth === 0) return list
    return list.flatMap(name => {
      const part = this.#parts.get(String(name))
      if (!part || !('l' in part)) throw missingPart(String(name))
      return this.#items(part.l, depth - 1)
    })
  }
}

/** A part, and the parts that it names. */
function checkedPart(hash: string, data: Uint8Array): { part: Part; names: readonly string[] } {
  try {
    const part = readPart(data)
    return { part, names: 'type' in part ? [] : namesIn(part) }
  } catch (cause) {
    throw new AntiphonError('journal-damaged', `a part of a checkpoint cannot be read: ${hash}`, { hint, cause })
  }
}

function namesIn(packed: Packed): readonly string[] {
  if (typeof packed === 'string') return [packed]
  if (isPair(packed)) return []
  return 'l' in packed ? packed.l.flatMap(namesIn) : packed.r.flatMap(([, value]) => namesIn(value))
}

const isPair = (packed: Exclude<Packed, string>): packed is readonly [string, string] => Array.isArray(packed)

const missingPart = (hash: string): AntiphonError =>
  new AntiphonError('journal-damaged', `a part of a checkpoint is missing: ${hash}`, { hint })

const multiplyingParts = (): AntiphonError =>
  new AntiphonError(
    'journal-damaged',
    'a checkpoint would expand to far more than what is stored: its parts refer to each other too often',
    { hint },
  )

const hint = 'restore all tables of the journal from one backup'

/** A list of messages that goes along to every task is read once for each of them. */
const valuesMin = 20_000
const valuesPerByte = 20

/** Many times deeper than values are taken apart. */
const depthMax = 100
