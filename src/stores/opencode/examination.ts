import type { Examination, Treatment } from '../system.ts'
import { type Change, diagnose } from './diagnose.ts'
import { drawSession } from './draw.ts'
import { latestTime, type StoredMessage } from './records.ts'

/** Examines a session. `treat` makes the treatment for the changes that it needs. */
export function examinationOf(
  messages: readonly StoredMessage[],
  now: number,
  treat: (changes: readonly Change[]) => Treatment,
): Examination {
  const { changes, ...diagnosis } = diagnose(messages)
  const isBroken = diagnosis.repairs.length > 0 || diagnosis.remaining.length > 0
  const isBusy = changes.length > 0 && isFresh(messages, now)
  return {
    ...diagnosis,
    state: isBusy ? 'busy' : isBroken ? 'broken' : 'healthy',
    notes: isBusy ? [busyNote] : [],
    ...(changes.length > 0 && !isBusy && { treatment: treat(changes) }),
    draw: () => drawSession(messages, diagnosis),
  }
}

function isFresh(messages: readonly StoredMessage[], now: number): boolean {
  let latest = 0
  for (const message of messages)
    for (const record of [message, ...message.parts]) latest = Math.max(latest, latestTime(record))
  return latest > 0 && latest <= now && now - latest < freshMs
}

const freshMs = 60_000
const busyNote = 'opencode wrote to this session within the last minute: close it and try again'
