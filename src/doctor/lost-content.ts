import { isRecord } from '../core/conversation.ts'
import type { DroppedRecord, Examination } from './system.ts'

/**
 * The content that a repaired list lost from messages that are still partly there: each part whose text is gone, as it
 * was written. Messages that were removed whole are already known. `places` are the indexes of the messages in their store.
 */
export function lostContent(
  history: readonly unknown[],
  healed: readonly unknown[],
  { repairs, dropped }: Pick<Examination, 'repairs' | 'dropped'>,
  root: string,
  places?: readonly number[],
): DroppedRecord[] {
  const [first] = repairs
  if (!first) return []
  const known = new Set(dropped.map(({ at }) => at))
  const rules = new Map(repairs.toReversed().map(({ at, rule }) => [at.slice(0, at.indexOf(']') + 1), rule]))
  const stays = new Set(healed)
  const words = new Set<string>()
  const old = new Set(history)
  for (const message of healed) if (!old.has(message)) for (const word of wordsIn(message)) words.add(word)
  const isLost = (value: unknown): boolean => [...wordsIn(value)].some(word => !words.has(word))
  return history.flatMap((message, index) => {
    const at = `${root}[${places?.[index] ?? index}]`
    if (stays.has(message) || known.has(at) || !isLost(message)) return []
    const rule = rules.get(at) ?? first.rule
    const parts = partsOf(message).filter(([, part]) => isLost(part))
    if (parts.length === 0) return [{ at, rule, content: JSON.stringify(message) }]
    return parts.map(([place, part]) => ({ at: `${at}.${place}`, rule, content: JSON.stringify(part) }))
  })
}

/** Whether nothing of the messages is left in a repaired list, not even some text. */
export function leavesNothing(history: readonly unknown[], healed: readonly unknown[]): boolean {
  const old = new Set(history)
  if (healed.some(message => old.has(message))) return false
  const words = new Set(wordsIn(history))
  return ![...wordsIn(healed)].some(word => words.has(word))
}

/** The elements of the lists in a message, with their places. */
const partsOf = (message: unknown): [string, unknown][] =>
  isRecord(message)
    ? Object.entries(message).flatMap(([key, list]) =>
        Array.isArray(list) ? list.map((part, index): [string, unknown] => [`${key}[${index}]`, part]) : [],
      )
    : []

/** All texts in a value except names, ids and the like. */
function* wordsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    if (value !== '') yield value
  } else if (Array.isArray(value)) for (const one of value) yield* wordsIn(one)
  else if (isRecord(value)) for (const [key, one] of Object.entries(value)) if (!names.has(key)) yield* wordsIn(one)
}

const names: ReadonlySet<string> = new Set([
  'id',
  'call_id',
  'callId',
  'tool_call_id',
  'toolCallId',
  'tool_use_id',
  'toolUseId',
  'name',
  'toolName',
  'type',
  'role',
  'state',
  'status',
])
