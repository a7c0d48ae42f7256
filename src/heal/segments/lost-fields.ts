import type { Message } from '../../core/conversation.ts'
import type { Edit } from '../../core/edit.ts'
import type { Repair } from '../../core/rules/repair.ts'
import { CarriedText } from '../convert/carried-text.ts'

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
  const changed: number[] = []
  for (let origin = from; origin < to; origin++) if (!kept.has(history[origin])) changed.push(origin)
  const carried = new CarriedText()
  carried.add(written)
  carried.add(repairs)
  const omitted = carried.omittedFields(changed.map(origin => history[origin]))
  if (omitted.length === 0) return repairs
  const last = lastRepairs(repairs, decoded)
  const lost = new Map<number, Record<string, unknown>>()
  for (const { origin: at, path, value } of omitted) {
    const origin = changed[at] ?? from
    const index = last.get(origin) ?? repairs.length - 1
    const fields = lost.get(index) ?? {}
    fields[`${root}[${origin}].${path}`] = value
    lost.set(index, fields)
  }
  return repairs.map((entry, index) => {
    const fields = lost.get(index)
    return fields ? { ...entry, lostFields: fields } : entry
  })
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
