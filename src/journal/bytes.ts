import { isRecord } from '../core/conversation.ts'

/** The value with byte arrays as base64 text, so that JSON can hold it. Returns the same value if there are none. */
export function packBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [mark]: Buffer.from(value).toString('base64') }
  return mapped(value, packBytes)
}

/** The value with its byte arrays restored. Returns the same value if there are none. */
export function unpackBytes(value: unknown): unknown {
  if (isRecord(value) && typeof value[mark] === 'string' && Object.keys(value).length === 1)
    return new Uint8Array(Buffer.from(value[mark], 'base64'))
  return mapped(value, unpackBytes)
}

/** No format has a field of this name. */
const mark = '$antiphon:bytes'

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
