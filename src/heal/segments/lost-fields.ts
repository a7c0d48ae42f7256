import { asRecord, type Message } from '../../core/conversation.ts'
import type { Edit } from '../../core/edit.ts'
import type { Repair } from '../../core/rules/repair.ts'
import { isCallsOfNone, isTextless } from '../convert/textless.ts'

interface RepairedSegment {
  readonly from: number
  readonly to: number
  /** The messages before the repair, and the repaired ones in their format. */
  readonly decoded: readonly Message[]
  readonly written: readonly unknown[]
  /** The name of the list, for paths. */
  readonly root: string
}

/**
 * The repairs, with the text of source messages that is neither in the repaired history nor in the report: that of fields
 * which the codec does not read, of messages that were removed or joined with others. Each is added to the last repair that
 * concerns its message.
 */
export function withLostFields(
  repairs: readonly Repair[],
  { from, to, decoded, written, root }: RepairedSegment,
  history: readonly unknown[],
): readonly Repair[] {
  const kept = new Set(written)
  const changed: { origin: number; key: string; value: unknown; texts: string[] }[] = []
  for (let origin = from; origin < to; origin++) {
    if (kept.has(history[origin])) continue
    const source = asRecord(history[origin])
    for (const [key, value] of Object.entries(source)) {
      const texts: string[] = []
      visitTexts(isCallsOfNone(key, source) ? value : { [key]: value }, text => text.trim() !== '' && texts.push(text))
      changed.push({ origin, key, value, texts })
    }
  }
  // In most repairs nothing is missing: the report has the text of what was removed.
  const missing = new Set(changed.flatMap(({ texts }) => texts))
  for (const told of [repairs, written, written.map(callsOfNone)])
    if (missing.size > 0) visitTexts(told, text => missing.delete(text))
  if (missing.size === 0) return repairs
  const last = lastRepairs(repairs, decoded)
  const lost = new Map<number, Record<string, unknown>>()
  for (const { origin, key, value, texts } of changed) {
    if (!texts.some(text => missing.has(text))) continue
    const index = last.get(origin) ?? repairs.length - 1
    const fields = lost.get(index) ?? {}
    fields[`${root}[${origin}].${key}`] = value
    lost.set(index, fields)
  }
  return repairs.map((entry, index) => {
    const fields = lost.get(index)
    return fields ? { ...entry, lostFields: fields } : entry
  })
}

function callsOfNone(message: unknown): unknown[] {
  const fields = asRecord(message)
  return Object.keys(fields)
    .filter(key => isCallsOfNone(key, fields))
    .map(key => fields[key])
}

/** Visits the texts in a value, except in fields that describe it. Each object is read once. */
function visitTexts(value: unknown, visit: (text: string) => unknown): void {
  const seen = new Set<object>()
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') visit(next)
    else if (typeof next === 'object' && next !== null && !seen.has(next)) {
      seen.add(next)
      if (Array.isArray(next)) for (const inner of next) open.push(inner)
      else if (!ArrayBuffer.isView(next))
        for (const [key, inner] of Object.entries(next)) if (!isTextless(key)) open.push(inner)
    }
  }
}

/** The last repair that concerns each source message, by index. */
function lastRepairs(repairs: readonly Repair[], decoded: readonly Message[]): Map<number, number> {
  const first = decoded[0]?.key ?? 0
  const last = new Map<number, number>()
  for (const [index, { edits }] of repairs.entries()) {
    for (const edit of edits) {
      const key = keyOf(edit)
      const origin = key === undefined ? undefined : decoded[key - first]?.origin
      if (origin !== undefined) last.set(origin, index)
    }
  }
  return last
}

function keyOf(edit: Edit): number | undefined {
  switch (edit.kind) {
    case 'remove':
    case 'insert':
      return edit.message.key
    case 'replace':
      return edit.before.key
    case 'move':
    case 'rewrite':
      return edit.key
    case 'set':
      return undefined
  }
}
