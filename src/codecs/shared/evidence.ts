import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'

/** Whether a field names a call: by a text, or by a number. */
export const hasId = (id: unknown): boolean => (typeof id === 'string' && id !== '') || typeof id === 'number'

export const isText = (value: unknown): value is string => typeof value === 'string'

export function hasAny(fields: Fields, keys: readonly string[]): boolean {
  for (const key of keys) if (key in fields) return true
  return false
}

/**
 * The strongest evidence that the parts of a message give for a format: a contradiction by one outweighs the evidence of others. A
 * bare text is a part of another library.
 */
export function strongestEvidence(
  parts: readonly unknown[],
  start: Recognition,
  judge: (part: Fields) => Recognition,
): Recognition {
  let verdict = start
  for (const part of parts) {
    if (part === null) continue
    const one = isRecord(part) ? judge(part) : isText(part) ? 'no' : 'odd'
    if (weights[one] > weights[verdict]) verdict = one
  }
  return verdict
}

const weights: Readonly<Record<Recognition, number>> = { maybe: 0, likely: 1, odd: 2, yes: 3, no: 4 }

/** `yes` if a single part is certain evidence, whatever the other parts are; otherwise the strongest evidence. */
export const yesOrStrongestEvidence = (
  parts: readonly unknown[],
  start: Recognition,
  judge: (part: Fields) => Recognition,
): Recognition =>
  parts.some(part => isRecord(part) && judge(part) === 'yes') ? 'yes' : strongestEvidence(parts, start, judge)

/**
 * How well a list of function calls fits the chat formats. Arguments are JSON text there; an object counts as a damaged call
 * only if the call has an id and a type, since other libraries write objects.
 */
export function functionCalls(calls: unknown): Recognition {
  if (calls === undefined || calls === null) return 'maybe'
  return Array.isArray(calls) ? strongestEvidence(calls, 'maybe', functionCall) : isRecord(calls) ? 'no' : 'odd'
}

function functionCall({ custom, function: called, id, type, name }: Fields): Recognition {
  if (isRecord(custom)) return 'yes'
  if (!isRecord(called)) return called === undefined && name === undefined ? 'odd' : 'no'
  if (isRecord(called.arguments)) return hasId(id) && type === 'function' ? 'yes' : 'no'
  // Templates of open models write calls like these, without ids.
  return hasId(id) || type !== undefined ? 'yes' : 'likely'
}
