import { isRecord } from '../../../core/conversation.ts'

/** A record as it is written: a row's data, or a file. */
export interface StoredRecord {
  readonly id: string
  readonly text: string
  /** Absent if it cannot be read. */
  readonly value?: Record<string, unknown>
}

export interface StoredMessage extends StoredRecord {
  /** In the order of their ids. */
  readonly parts: readonly StoredRecord[]
}

export function recordOf(id: string, text: string): StoredRecord {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isRecord(value) ? { id, text, value } : { id, text }
  } catch {
    return { id, text }
  }
}

/** Ids are ordered by their bytes, in the program and in its database. */
export const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
  one.id < other.id ? -1 : one.id > other.id ? 1 : 0

/** An id of the same form that sorts between two. */
export function idBetween(before: string, after: string): string {
  const at = letters.indexOf(before.at(-1) ?? '')
  const next = at >= 0 && at + 1 < letters.length ? before.slice(0, -1) + letters[at + 1] : ''
  return next > before && next < after ? next : `${before}0`
}

/** An id of the same form that sorts before another. */
export function idBefore(after: string): string {
  const at = after.search(/[1-9A-Za-z](?=[^1-9A-Za-z]*$)/)
  const lower = letters[letters.indexOf(after[at] ?? '') - 1]
  return lower === undefined ? after.slice(0, -1) : after.slice(0, at) + lower + after.slice(at + 1)
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
