import { asRecord, type Fields, type Message } from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'

/** A record with some fields changed; the same object if none is. */
export function overlay(raw: Fields, ...changes: readonly Fields[]): Fields {
  let changed = raw
  for (const fields of changes) if (Object.keys(fields).length > 0) changed = { ...changed, ...fields }
  return changed
}

/** The previous value if the new one is equal to it. */
export const unlessEqual = (before: unknown, written: unknown): unknown => (equal(before, written) ? before : written)

/**
 * The fields of all records, as if each were spread after the one before it: a later value wins, in the place of the first
 * one. A record that occurs more than twice is read twice, so that many parts of one wide message cost no more than the
 * message.
 */
export function joined(records: readonly unknown[]): Record<string, unknown> {
  if (records.length === 1) return { ...asRecord(records[0]) }
  const last = new Map(records.map((value, at) => [value, at]))
  const seen = new Set<unknown>()
  const entries: [string, unknown][] = []
  for (const [at, value] of records.entries()) {
    if (seen.has(value) && last.get(value) !== at) continue
    seen.add(value)
    for (const entry of Object.entries(asRecord(value))) entries.push(entry)
  }
  return Object.fromEntries(entries)
}

/**
 * The fields around messages that share one message of the format: those of the first have precedence, those of merged
 * messages come last.
 */
export function fieldsAround(group: readonly Message[], history: readonly unknown[]): Record<string, unknown> {
  const merged: unknown[] = []
  const own: unknown[] = []
  for (const message of [...group].reverse()) {
    if (message.merged) for (const from of message.merged) merged.push(history[from])
    if (message.origin !== undefined) own.push(history[message.origin])
  }
  return joined([...merged.reverse(), ...own])
}
