/**
 * Copies the messages of a thread, again and again. Whoever asks the model marks and changes messages as it likes, such as for a
 * cache: nothing of that may come back with the next request. What is copied never changes itself, so that each message is
 * looked at once, and from then on it is known which of its fields need a copy of their own: to look at all of them each time
 * costs three times as much.
 */
export class MessageCopier {
  /** The messages of the last time, and by the same index how they are made. */
  readonly #messages: unknown[] = []
  readonly #makes: (Make | undefined)[] = []
  /** What is made alike shares one of these: there are few, so that they are at hand. */
  readonly #byPlaces = new Map<string, Make>()

  copy(messages: readonly unknown[]): unknown[] {
    const known = this.#messages
    const makes = this.#makes
    const copies: unknown[] = []
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index]
      if (known[index] !== message) {
        known[index] = message
        makes[index] = this.#makeOf(message)
      }
      const make = makes[index]
      copies.push(make ? copyMessage(message, make) : message)
    }
    return copies
  }

  #makeOf(value: unknown): Make | undefined {
    if (typeof value !== 'object' || value === null) return undefined
    if (value instanceof Uint8Array) return flatBytes
    if (Array.isArray(value)) return this.#withNested(flatList, [...value.entries()])
    if (Object.getPrototypeOf(value) !== Object.prototype) return undefined
    return this.#withNested(flatObject, Object.entries(value))
  }

  #withNested(flat: Make, fields: readonly (readonly [string | number, unknown])[]): Make {
    const nested: Nested[] = []
    for (const [key, field] of fields) {
      const make = this.#makeOf(field)
      if (make) nested.push({ key, make })
    }
    if (nested.length === 0) return flat
    const places = JSON.stringify([flat.kind, ...nested.map(({ key, make }) => [key, make.name])])
    const known = this.#byPlaces.get(places)
    const make = known ?? { kind: flat.kind, nested, name: String(this.#byPlaces.size) }
    if (!known) this.#byPlaces.set(places, make)
    return make
  }
}

/** How a value that needs a copy is made, and which places in it hold such a value. All others are handed out as they are. */
interface Make {
  readonly kind: 'object' | 'list' | 'bytes'
  readonly nested: readonly Nested[]
  /** Tells it from others of the same copier. */
  readonly name: string
}

interface Nested {
  readonly key: string | number
  readonly make: Make
}

const flatObject: Make = { kind: 'object', nested: [], name: 'object' }
const flatList: Make = { kind: 'list', nested: [], name: 'list' }
const flatBytes: Make = { kind: 'bytes', nested: [], name: 'bytes' }

type Places = Record<string | number, unknown>

// These four do the same: for a message, a field of it, what stands in its lists, and what lies deeper. An engine copies an object
// fast as long as it has met few shapes at that place of the program.

function copyMessage(message: unknown, make: Make): unknown {
  if (make === flatObject) return { ...(message as Places) }
  if (make.kind !== 'object') return copyDeep(message, make)
  const copy = { ...(message as Places) }
  for (const { key, make: inner } of make.nested) copy[key] = copyField(copy[key], inner)
  return copy
}

function copyField(field: unknown, make: Make): unknown {
  if (make.kind !== 'list') return copyDeep(field, make)
  const copy = (field as unknown[]).slice()
  for (const { key, make: inner } of make.nested) copy[key as number] = copyItem(copy[key as number], inner)
  return copy
}

function copyItem(item: unknown, make: Make): unknown {
  if (make.kind !== 'object') return copyDeep(item, make)
  const copy = { ...(item as Places) }
  for (const { key, make: inner } of make.nested) copy[key] = copyDeep(copy[key], inner)
  return copy
}

function copyDeep(value: unknown, { kind, nested }: Make): unknown {
  if (kind === 'bytes') return (value as Uint8Array).slice()
  const copy = (kind === 'list' ? (value as unknown[]).slice() : { ...(value as Places) }) as Places
  for (const { key, make } of nested) copy[key] = copyDeep(copy[key], make)
  return copy
}
