/** An extension with its content. */
export interface Ext {
  readonly ext: number
  readonly content: unknown
}

/** MessagePack as Python writes it: values of the smallest form, floats as doubles. */
export function pack(value: unknown): Buffer {
  if (value === null || value === undefined) return Buffer.from([0xc0])
  if (typeof value === 'boolean') return Buffer.from([value ? 0xc3 : 0xc2])
  if (typeof value === 'number') return packNumber(value)
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([head(text.length, 0xa0, 32, [0xd9, 0xda, 0xdb]), text])
  }
  if (Array.isArray(value)) return Buffer.concat([head(value.length, 0x90, 16, [0, 0xdc, 0xdd]), ...value.map(pack)])
  if (isExt(value)) {
    const content = pack(value.content)
    return Buffer.concat([head(content.length, 0, 0, [0xc7, 0xc8, 0xc9]), Buffer.from([value.ext]), content])
  }
  const members = Object.entries(value as object)
  return Buffer.concat([head(members.length, 0x80, 16, [0, 0xde, 0xdf]), ...members.flat().map(pack)])
}

export const isExt = (value: unknown): value is Ext => typeof value === 'object' && value !== null && 'ext' in value

function packNumber(value: number): Buffer {
  if (Number.isInteger(value) && value >= 0 && value < 128) return Buffer.from([value])
  const bytes = Buffer.alloc(Number.isInteger(value) ? 5 : 9)
  bytes[0] = Number.isInteger(value) ? 0xd2 : 0xcb
  if (Number.isInteger(value)) bytes.writeInt32BE(value, 1)
  else bytes.writeDoubleBE(value, 1)
  return bytes
}

function head(size: number, code: number, limit: number, codes: readonly number[]): Buffer {
  if (size < limit) return Buffer.from([code + size])
  if (size < 0x100 && codes[0] !== 0) return Buffer.from([codes[0], size])
  const bytes = Buffer.alloc(size < 0x10000 ? 3 : 5)
  bytes[0] = size < 0x10000 ? codes[1] : codes[2]
  bytes.writeUIntBE(size, 1, bytes.length - 1)
  return bytes
}

/** The value of bytes of MessagePack. */
export function unpack(bytes: Buffer): unknown {
  let at = 0
  const size = (width: number): number => take(width).readUIntBE(0, width)
  const take = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const list = (length: number): unknown[] => Array.from({ length }, one)
  const map = (length: number): object => Object.fromEntries(Array.from({ length }, () => [one(), one()]))
  const ext = (length: number): Ext => ({ ext: take(1).readInt8(), content: unpack(take(length)) })
  function one(): unknown {
    const code = size(1)
    if (code < 0x80) return code
    if (code < 0x90) return map(code - 0x80)
    if (code < 0xa0) return list(code - 0x90)
    if (code < 0xc0) return take(code - 0xa0).toString()
    if (code >= 0xe0) return code - 0x100
    if (code === 0xc0) return null
    if (code === 0xc2 || code === 0xc3) return code === 0xc3
    if (code >= 0xc4 && code <= 0xc6) return take(size(1 << (code - 0xc4)))
    if (code >= 0xc7 && code <= 0xc9) return ext(size(1 << (code - 0xc7)))
    if (code === 0xcb) return take(8).readDoubleBE()
    if (code >= 0xcc && code <= 0xce) return size(1 << (code - 0xcc))
    if (code === 0xcf) return Number(take(8).readBigUInt64BE())
    if (code >= 0xd0 && code <= 0xd2) return take(1 << (code - 0xd0)).readIntBE(0, 1 << (code - 0xd0))
    if (code === 0xd3) return Number(take(8).readBigInt64BE())
    if (code >= 0xd4 && code <= 0xd8) return ext(1 << (code - 0xd4))
    if (code >= 0xd9 && code <= 0xdb) return take(size(1 << (code - 0xd9))).toString()
    if (code === 0xdc || code === 0xdd) return list(size(code === 0xdc ? 2 : 4))
    if (code === 0xde || code === 0xdf) return map(size(code === 0xde ? 2 : 4))
    throw new Error(`code ${code}`)
  }
  const value = one()
  if (at !== bytes.length) throw new Error('there is more')
  return value
}
