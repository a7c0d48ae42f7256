import { isObject } from '../../json.ts'

/** A Go type, as `encoding/json` decodes JSON into it. Null leaves every type at its zero value. */
export type GoType =
  | { readonly kind: 'any' }
  | { readonly kind: 'string' | 'bool' | 'int' | 'bytes' | 'map'; readonly name: string }
  | { readonly kind: 'list'; readonly name: string; readonly of: GoType }
  | { readonly kind: 'struct'; readonly name: string; readonly fields: Readonly<Record<string, GoType>> }
  /** A map whose values have a type. */
  | { readonly kind: 'dictionary'; readonly name: string; readonly of: GoType }
  /** A type that decodes itself: what it says against a value. */
  | { readonly kind: 'own'; readonly name: string; typeError(value: unknown): string | undefined }

/** A value that a type does not take. `words` is set where the error is not about a type. */
export interface GoMismatch {
  /** The keys of the structs that lead to it: places in lists do not count. */
  readonly field: string
  /** The innermost struct with such a key. */
  readonly struct: string
  /** Where it is in the value. */
  readonly at: string
  readonly value: unknown
  readonly type: string
  readonly words?: string
}

type Place = Pick<GoMismatch, 'field' | 'struct' | 'at'>

/** What the type does not take of a value, in the order of the value. */
export function* mismatches(value: unknown, type: GoType, place: Place): Generator<GoMismatch> {
  if (value === undefined || value === null || type.kind === 'any') return
  const wrong = { ...place, value, type: type.name }
  if (type.kind === 'bytes') yield* bytesIn(value, wrong)
  else if (type.kind === 'own') {
    const words = type.typeError(value)
    if (words !== undefined) yield { ...wrong, words }
  } else if (!takes[type.kind](value)) yield wrong
  else for (const inner of innerValues(value as object, type, place)) yield* mismatches(...inner)
}

/** Whether a type takes a value, apart from what is in it. */
const takes = {
  string: (value: unknown) => typeof value === 'string',
  bool: (value: unknown) => typeof value === 'boolean',
  int: (value: unknown) => Number.isSafeInteger(value),
  map: isObject,
  dictionary: isObject,
  struct: isObject,
  list: (value: unknown) => Array.isArray(value),
}

/** The values in a value, with their types and places. A struct does not look at keys that it does not have. */
function innerValues(value: object, type: GoType, place: Place): [unknown, GoType, Place][] {
  const items = Object.entries(value)
  switch (type.kind) {
    case 'list':
      return items.map(([k, item]) => [item, type.of, { ...place, at: `${place.at}[${k}]` }])
    case 'dictionary':
      return items.map(([key, item]) => [item, type.of, { ...place, at: `${place.at}.${key}` }])
    case 'struct':
      return items.flatMap(([key, item]) => {
        const of = Object.hasOwn(type.fields, key) ? type.fields[key] : undefined
        return of ? [[item, of, within(place, key, type.name)]] : []
      })
    default:
      return []
  }
}

const within = ({ field, at }: Place, key: string, struct: string): Place => ({
  field: field === '' ? key : `${field}.${key}`,
  struct: struct.slice(struct.lastIndexOf('.') + 1),
  at: at === '' ? key : `${at}.${key}`,
})

/** Bytes are base64, or a list of numbers. */
function* bytesIn(value: unknown, wrong: GoMismatch): Generator<GoMismatch> {
  if (Array.isArray(value)) {
    for (const [k, byte] of value.entries()) {
      const isByte = byte === null || (Number.isInteger(byte) && byte >= 0 && byte < 256)
      if (!isByte) yield { ...wrong, at: `${wrong.at}[${k}]`, value: byte, type: 'uint8' }
    }
  } else if (typeof value !== 'string') yield wrong
  else {
    const offset = illegalByte(value)
    if (offset >= 0) yield { ...wrong, words: `illegal base64 data at input byte ${offset}` }
  }
}

/** Where a text stops being base64; -1 if all of it is. */
function illegalByte(text: string): number {
  const [padded = ''] = /^[A-Za-z0-9+/\r\n]*(=[\r\n]*){0,2}/.exec(text) ?? []
  if (padded.length < text.length) return padded.length
  const letters = text.replace(/[\r\n]/g, '').length
  return letters % 4 === 0 ? -1 : letters - (letters % 4)
}

/** The error of `encoding/json`. The number itself is named where its type is right and its value is not. */
export function unmarshalError({ value, struct, field, type }: GoMismatch): string {
  const kind = typeof value === 'number' && /int/.test(type) ? `number ${value}` : kindOf(value)
  return `json: cannot unmarshal ${kind} into Go struct field ${struct}.${field} of type ${type}`
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
