import { equal } from '../core/equal.ts'

type Fields = Readonly<Record<string, unknown>>

/** A record with some fields changed: the very same one if none is. */
export function overlay(raw: Fields, ...changes: readonly Fields[]): Fields {
  let changed = raw
  for (const fields of changes) if (Object.keys(fields).length > 0) changed = { ...changed, ...fields }
  return changed
}

/** What was there before, if what was written anew says the very same. */
export const unlessEqual = (before: unknown, written: unknown): unknown => (equal(before, written) ? before : written)
