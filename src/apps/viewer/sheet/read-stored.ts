import { type Choices, defaultAllow } from '../../../core/choices.ts'
import type { Message } from '../../../core/conversation.ts'
import { lenientFacts } from '../../../core/dialect.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import { RuleContext } from '../../../core/rules/rule.ts'
import { storeWire } from '../../../doctor/script.ts'
import type { StoredDocument } from '../protocol.ts'
import type { Reading } from './reading.ts'

/** Reads a conversation of another system's store. The doctor has judged it already: nothing is judged again. */
export function readStored({ messages, repairs, remaining, records }: StoredDocument): Reading {
  const nameOf = (record: number | undefined): string => (record === undefined ? '' : (records[record]?.at ?? ''))
  const wire = storeWire({ root: 'records', locate: ({ origin }, part) => nameOf(part?.slot ?? origin) })
  const sceneWith = (now: readonly Message[], pendingCalls: ReadonlySet<string>): RuleContext =>
    new RuleContext(
      { format: wire, messages: now, continues: false },
      {
        facts: lenientFacts,
        choices: { ...choices, pendingCalls },
      },
    )
  const waiting = waitingCalls(sceneWith(messages, new Set()), [...repairs, ...remaining])
  return {
    messages,
    repairs,
    remaining,
    scene: now => sceneWith(now, waiting),
    readers: [],
    recordsOf: message => recordsOf(message).flatMap(record => records[record] ?? []),
  }
}

const choices: Choices = {
  allow: new Set(defaultAllow),
  pending: 'named',
  pendingCalls: new Set(),
  orphans: 'drop',
  repeats: 'keep',
}

/** The doctor names every open call that must not be: any other may wait. */
function waitingCalls({ pairing }: RuleContext, found: readonly Diagnostic[]): Set<string> {
  const missing = new Set(found.filter(({ rule }) => rule === 'unanswered-call').map(({ callId }) => callId))
  const open = pairing.calls.filter(call => !call.answer && !missing.has(call.part.id))
  return new Set(open.map(call => call.part.id))
}

/** The records that a message was read from. */
function recordsOf({ origin, parts }: Message): number[] {
  const records = [origin, ...parts.map(({ slot }) => slot)]
  return [...new Set(records.filter(record => record !== undefined))]
}
