import { AntiphonError } from '../core/errors.ts'
import type { CallPlace, EntryKind, Happening } from './entry.ts'

/** What happenings do to the calls of a thread, and whether they need all of them to be settled. */
export interface Effects {
  readonly opens: readonly CallPlace[]
  readonly starts: readonly CallPlace[]
  readonly settles: readonly CallPlace[]
  /** The user or the model speaks, or the turn ends: no call may be open then but those that are settled in the same write. */
  readonly speaks: boolean
}

/**
 * Read off the entries themselves, so that no writer can forget a guard. `head` is the last sequence number before them.
 * A write opens, starts or settles calls, never two of these, since a store does each with one statement; it settles before
 * anybody speaks, and nobody speaks behind what it opens. Any other write is the writer's mistake.
 */
export function effectsOf(happenings: readonly Happening[], head: number): Effects {
  const opens: CallPlace[] = []
  const starts: CallPlace[] = []
  const settles: CallPlace[] = []
  let speaks = false
  let seq = head
  for (const happening of happenings) {
    seq++
    if (speaking.has(happening.kind)) {
      if (opens.length > 0) throw badWrite('somebody speaks behind the calls that it opens')
      speaks = true
    }
    if (happening.kind === 'call-start') starts.push(happening.call)
    if (happening.kind === 'call-settle') {
      if (speaks) throw badWrite('a call is settled behind somebody who speaks')
      settles.push(happening.call)
    }
    if (happening.kind !== 'response-record') continue
    happening.calls.forEach(({ answered }, index) => {
      if (!answered) opens.push({ step: seq, index })
    })
  }
  if (Math.max(opens.length, starts.length, settles.length) < opens.length + starts.length + settles.length)
    throw badWrite('it does more than one of opening, starting and settling calls')
  return { opens, starts, settles, speaks }
}

const speaking = new Set<EntryKind>(['input-admit', 'note-tell', 'response-record', 'turn-end'])

const badWrite = (message: string): AntiphonError =>
  new AntiphonError('bad-write', `no journal takes this write: ${message}`, { hint: 'split it' })
