import type { Examination, StoreRepair } from '../../system.ts'
import { diagnoseSession, type PartChange } from './diagnose.ts'
import { drawStoredSession } from './draw.ts'
import type { StoredMessage } from './records.ts'

/** Examines a session. `repair` makes the store repair for the changes that it needs. */
export function examineStoredSession(
  messages: readonly StoredMessage[],
  repairFor: (changes: readonly PartChange[]) => StoreRepair,
): Examination {
  const { changes, ...diagnosis } = diagnoseSession(messages)
  const isBroken = diagnosis.repairs.length > 0 || diagnosis.remaining.length > 0
  return {
    ...diagnosis,
    state: isBroken ? 'broken' : 'healthy',
    notes: [],
    ...(changes.length > 0 && { storeRepair: repairFor(changes) }),
    draw: () => drawStoredSession(messages, diagnosis),
  }
}
