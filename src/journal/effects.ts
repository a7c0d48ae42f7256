import { AntiphonError } from '../core/errors.ts'
import type { CallPlace, EntryData, EntryKind } from './entry.ts'

/** What a write does to the calls of a thread. */
export interface Effects {
  readonly opens: readonly CallPlace[]
  readonly starts: readonly CallPlace[]
  readonly settles: readonly CallPlace[]
  /** The write adds a message or ends the turn: only calls that it settles may still be open. */
  readonly requiresAllSettled: boolean
}

/**
 * Derived from the entries, so that no writer can forget a guard. `head` is the last sequence number before them. A write
 * opens, starts or settles calls, and only one of these, since a store does each with one statement. It settles calls before
 * it adds messages, and adds none after the calls that it opens. Any other write is refused.
 */
export function effectsOf(entries: readonly EntryData[], head: number): Effects {
  const opens: CallPlace[] = []
  const starts: CallPlace[] = []
  const settles: CallPlace[] = []
  let requiresAllSettled = false
  let seq = head
  for (const entry of entries) {
    seq++
    if (kindsRequiringAllSettled.has(entry.kind)) {
      if (opens.length > 0) throw invalidWrite('a message entry follows calls opened in the same write')
      requiresAllSettled = true
    }
    if (entry.kind === 'call-start') starts.push(entry.call)
    if (entry.kind === 'call-settle') {
      if (requiresAllSettled) throw invalidWrite('a call is settled after a message entry of the same write')
      settles.push(entry.call)
    }
    if (entry.kind !== 'response-record') continue
    entry.calls.forEach(({ answered }, index) => {
      if (!answered) opens.push({ step: seq, index })
    })
  }
  if (Math.max(opens.length, starts.length, settles.length) < opens.length + starts.length + settles.length)
    throw invalidWrite('it opens, starts and settles calls; only one of these is allowed')
  return { opens, starts, settles, requiresAllSettled }
}

const kindsRequiringAllSettled = new Set<EntryKind>(['input-admit', 'note-tell', 'response-record', 'turn-end'])

const invalidWrite = (message: string): AntiphonError =>
  new AntiphonError('invalid-write', `invalid write: ${message}`, { hint: 'split it into several writes' })
