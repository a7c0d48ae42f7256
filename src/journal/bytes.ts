import { base64 } from '../codecs/shared/base64.ts'
import { isRecord } from '../core/conversation.ts'

/** The value with byte arrays as base64 text, so that JSON can hold it. Returns the same value if there are none. */
export function packBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [mark]: toBase64(value) }
  const name = markIn(value)
  if (name !== undefined) return { [`${name}~`]: packBytes((value as Record<string, unknown>)[name]) }
  return mapped(value, packBytes)
}

/** The value with its byte arrays restored. Returns the same value if there are none. */
export function unpackBytes(value: unknown): unknown {
  const name = markIn(value)
  const held = name === undefined ? undefined : (value as Record<string, unknown>)[name]
  if (name === mark && typeof held === 'string') return fromBase64(held)
  if (name !== undefined && name !== mark) return { [name.slice(0, -1)]: unpackBytes(held) }
  return mapped(value, unpackBytes)
}

/** The length of a text as UTF-8. */
export const utf8Length = (text: string): number =>
  typeof Buffer === 'undefined' ? new TextEncoder().encode(text).length : Buffer.byteLength(text)

/** Node's own is faster. Other runtimes may have none. */
const toBase64 = (bytes: Uint8Array): string | undefined =>
  typeof Buffer === 'undefined' ? base64(bytes) : Buffer.from(bytes).toString('base64')

const fromBase64 = (text: string): Uint8Array =>
  typeof Buffer === 'undefined'
    ? Uint8Array.from(atob(text), character => character.charCodeAt(0))
    : new Uint8Array(Buffer.from(text, 'base64'))

/** The only field of an object that represents bytes. If an object of the caller has such a field, its name is escaped with one more `~` while it is stored. */
const mark = '$antiphon:bytes'

/** The only field of an object, if it is the mark with any number of `~`. */
function markIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const names = Object.keys(value)
  const name = names.length === 1 ? names[0] : undefined
  return name?.startsWith(mark) && /^~*$/.test(name.slice(mark.length)) ? name : undefined
}

function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(change)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  let isChanged = false
  const fields = Object.entries(value)
  for (const field of fields) {
    const changed = change(field[1])
    isChanged ||= changed !== field[1]
    field[1] = changed
  }
  return isChanged ? Object.fromEntries(fields) : value
}
