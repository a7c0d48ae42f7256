import type { Examination, Treatment } from '../../system.ts'
import { type Change, diagnose } from './diagnose.ts'
import { drawSession } from './draw.ts'
import type { StoredMessage } from './records.ts'

/** Examines a session. `treat` makes the treatment for the changes that it needs. */
export function examinationOf(
  messages: readonly StoredMessage[],
  treat: (changes: readonly Change[]) => Treatment,
): Examination {
  const { changes, ...diagnosis } = diagnose(messages)
  const isBroken = diagnosis.repairs.length > 0 || diagnosis.remaining.length > 0
  return {
    ...diagnosis,
    state: isBroken ? 'broken' : 'healthy',
    notes: [],
    ...(changes.length > 0 && { treatment: treat(changes) }),
    draw: () => drawSession(messages, diagnosis),
  }
}
