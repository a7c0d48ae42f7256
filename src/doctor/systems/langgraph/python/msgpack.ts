/** A range of bytes. */
export interface ByteSpan {
  readonly start: number
  readonly end: number
}

/** A value that is kept as it was written: an extension, binary data, or a number that JavaScript would write otherwise. */
export class RawValue {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** What begins at a byte: its kind, where its content begins, and how many bytes or values it has. */
interface Head {
  readonly kind: 'atom' | 'text' | 'binary' | 'extension' | 'list' | 'map'
  readonly start: number
  readonly size: number
}

/**
 * Reads MessagePack where it is, so that everything that does not change is copied. Throws a `RangeError` if it is not
 * valid. Every value is passed once, however deeply it is nested.
 */
export class MessagePack {
  readonly bytes: Buffer

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** The end of the value that begins here. */
  skip(start: number): number {
    let at = start
    for (let left = 1; left > 0; left--) {
      const head = this.#head(at)
      at = head.start
      if (head.kind === 'list') left += head.size
      else if (head.kind === 'map') left += 2 * head.size
      else at += head.size
      if (at > this.bytes.length || left > this.bytes.length) throw new RangeError('it is cut off')
    }
    return at
  }

  /** The values of a map by those of its keys that are texts; undefined if there is none. */
  members(start: number): ReadonlyMap<string, ByteSpan> | undefined {
    const head = this.#head(start)
    if (head.kind !== 'map') return undefined
    const members = new Map<string, ByteSpan>()
    let at = head.start
    for (let index = 0; index < head.size; index++) {
      const value = this.skip(at)
      const end = this.skip(value)
      const key = this.#text(at)
      if (key !== undefined) members.set(key, { start: value, end })
      at = end
    }
    return members
  }

  /** The values of a list, one at a time; undefined if there is none. */
  items(start: number): Iterable<ByteSpan> | undefined {
    const head = this.#head(start)
    return head.kind === 'list' ? this.#spans(head) : undefined
  }

  /** The type of an extension, and its content. */
  extension(start: number): { readonly type: number; readonly content: MessagePack } | undefined {
    const head = this.#head(start)
    if (head.kind !== 'extension') return undefined
    const end = head.start + head.size
    return { type: this.bytes.readInt8(head.start), content: new MessagePack(this.bytes.subarray(head.start + 1, end)) }
  }

  /** The value that begins here. Lists and maps can be written again as they were, if they are the same objects. */
  value(start: number): unknown {
    this.skip(start)
    return this.#read({ at: start }, 0)
  }

  #text(start: number): string | undefined {
    const { kind, start: content, size } = this.#head(start)
    return kind === 'text' ? this.bytes.toString('utf8', content, content + size) : undefined
  }

  *#spans({ start, size }: Head): Generator<ByteSpan> {
    let at = start
    for (let index = 0; index < size; index++) {
      const end = this.skip(at)
      yield { start: at, end }
      at = end
    }
  }

  #read(cursor: { at: number }, depth: number): unknown {
    if (depth > depthMax) throw new RangeError('it is nested too deeply')
    const start = cursor.at
    const { kind, start: content, size } = this.#head(start)
    cursor.at = content
    if (kind === 'list' || kind === 'map') {
      const made = kind === 'list' ? this.#list(cursor, size, depth) : this.#map(cursor, size, depth)
      origins.set(made, { bytes: this.bytes, start, end: cursor.at })
      return made
    }
    cursor.at += size
    if (kind === 'text') return this.bytes.toString('utf8', content, cursor.at)
    if (kind === 'atom' && size === 0) return shortAtom(this.bytes.readUInt8(start))
    const bytes = this.bytes.subarray(start, cursor.at)
    return kind === 'atom' ? atomIn(bytes) : new RawValue(bytes)
  }

  #list(cursor: { at: number }, size: number, depth: number): unknown[] {
    const list: unknown[] = []
    for (let index = 0; index < size; index++) list.push(this.#read(cursor, depth + 1))
    return list
  }

  #map(cursor: { at: number }, size: number, depth: number): Record<string, unknown> {
    const members: [string, unknown][] = []
    for (let index = 0; index < size; index++) {
      const key = this.#read(cursor, depth + 1)
      members.push([String(key), this.#read(cursor, depth + 1)])
    }
    return Object.fromEntries(members)
  }

  #head(at: number): Head {
    const { bytes } = this
    const code = bytes.readUInt8(at)
    const start = at + 1
    const after = (kind: Head['kind'], width: number, more = 0): Head => ({
      kind,
      start: start + width,
      size: bytes.readUIntBE(start, width) + more,
    })
    if (code < 0x80 || code >= 0xe0 || code === 0xc0 || code === 0xc2 || code === 0xc3)
      return { kind: 'atom', start, size: 0 }
    if (code < 0x90) return { kind: 'map', start, size: code & 15 }
    if (code < 0xa0) return { kind: 'list', start, size: code & 15 }
    if (code < 0xc0) return { kind: 'text', start, size: code & 31 }
    if (code >= 0xc4 && code <= 0xc6) return after('binary', 1 << (code - 0xc4))
    if (code >= 0xc7 && code <= 0xc9) return after('extension', 1 << (code - 0xc7), 1)
    if (code === 0xca || code === 0xcb) return { kind: 'atom', start, size: code === 0xca ? 4 : 8 }
    if (code >= 0xcc && code <= 0xcf) return { kind: 'atom', start, size: 1 << (code - 0xcc) }
    if (code >= 0xd0 && code <= 0xd3) return { kind: 'atom', start, size: 1 << (code - 0xd0) }
    if (code >= 0xd4 && code <= 0xd8) return { kind: 'extension', start, size: 1 + (1 << (code - 0xd4)) }
    if (code >= 0xd9 && code <= 0xdb) return after('text', 1 << (code - 0xd9))
    if (code === 0xdc || code === 0xdd) return after('list', code === 0xdc ? 2 : 4)
    if (code === 0xde || code === 0xdf) return after('map', code === 0xde ? 2 : 4)
    throw new RangeError('it is not MessagePack')
  }
}

const depthMax = 200

/** Where lists and maps were read. */
const origins = new WeakMap<object, ByteSpan & { readonly bytes: Buffer }>()

/** The bytes of a value, in which everything that was read from MessagePack is as it was. */
export function writeValue(value: unknown): Buffer {
  if (value instanceof RawValue) return Buffer.from(value.bytes)
  const origin = typeof value === 'object' && value !== null ? origins.get(value) : undefined
  if (origin) return origin.bytes.subarray(origin.start, origin.end)
  if (Array.isArray(value)) return listOf(value.map(writeValue))
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, one]) => one !== undefined)
    const head = sized(members.length, 0x80, 15, [0, 0xde, 0xdf])
    return Buffer.concat([head, ...members.flatMap(([key, one]) => [writeValue(key), writeValue(one)])])
  }
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([sized(text.length, 0xa0, 31, [0xd9, 0xda, 0xdb]), text])
  }
  return atomOf(value)
}

/** An extension with this content. */
export function extensionOf(type: number, content: Buffer): Buffer {
  const fixed = [1, 2, 4, 8, 16].indexOf(content.length)
  const head = fixed >= 0 ? Buffer.from([0xd4 + fixed]) : sized(content.length, 0, -1, [0xc7, 0xc8, 0xc9])
  return Buffer.concat([head, Buffer.from([type]), content])
}

/** The list of these values, each as its bytes. */
export const listOf = (items: readonly Uint8Array[]): Buffer =>
  Buffer.concat([sized(items.length, 0x90, 15, [0, 0xdc, 0xdd]), ...items])

/** A head with a size: in the code itself, or after it in 8, 16 or 32 bits. */
function sized(size: number, code: number, max: number, codes: readonly [number, number, number]): Buffer {
  if (size <= max) return Buffer.from([code | size])
  const width = size < 0x100 && codes[0] !== 0 ? 0 : size < 0x10000 ? 1 : 2
  const head = Buffer.alloc(1 + (1 << width))
  head[0] = codes[width as 0 | 1 | 2]
  head.writeUIntBE(size, 1, 1 << width)
  return head
}

/** Nothing, a truth value or a small number. */
function shortAtom(code: number): unknown {
  if (code < 0x80) return code
  if (code >= 0xe0) return code - 0x100
  return code === 0xc0 ? null : code === 0xc3
}

/** A number. */
function atomIn(bytes: Buffer): unknown {
  const code = bytes.readUInt8(0)
  const float = code === 0xca ? bytes.readFloatBE(1) : code === 0xcb ? bytes.readDoubleBE(1) : undefined
  if (float !== undefined)
    return code === 0xca || !Number.isFinite(float) || Number.isInteger(float) ? new RawValue(bytes) : float
  const width = bytes.length - 1
  const isSigned = code >= 0xd0
  const number =
    width === 8
      ? Number(isSigned ? bytes.readBigInt64BE(1) : bytes.readBigUInt64BE(1))
      : isSigned
        ? bytes.readIntBE(1, width)
        : bytes.readUIntBE(1, width)
  return Number.isSafeInteger(number) ? number : new RawValue(bytes)
}

function atomOf(value: unknown): Buffer {
  if (typeof value === 'boolean') return Buffer.from([value ? 0xc3 : 0xc2])
  if (typeof value !== 'number') return Buffer.from([0xc0])
  if (Number.isInteger(value) && value >= 0 && value < 0x80) return Buffer.from([value])
  if (Number.isInteger(value) && value < 0 && value >= -0x20) return Buffer.from([value + 0x100])
  const bytes = Buffer.alloc(9)
  bytes[0] = Number.isSafeInteger(value) ? 0xd3 : 0xcb
  if (Number.isSafeInteger(value)) bytes.writeBigInt64BE(BigInt(value), 1)
  else bytes.writeDoubleBE(value, 1)
  return bytes
}
