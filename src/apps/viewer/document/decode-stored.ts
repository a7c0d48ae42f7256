import { type Choices, defaultAllow } from '../../../core/choices.ts'
import type { Message } from '../../../core/conversation.ts'
import { lenientFacts } from '../../../core/dialect.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import { RuleContext } from '../../../core/rules/rule.ts'
import { storeFormat } from '../../../doctor/record-format.ts'
import type { StoredDocument } from '../protocol.ts'
import type { DecodedDocument } from './decoded-document.ts'

/** Decodes a conversation from the store of another program. The doctor has checked it already. */
export function decodeStored({ messages, repairs, remaining, records }: StoredDocument): DecodedDocument {
  const nameOf = (record: number | undefined): string => (record === undefined ? '' : (records[record]?.at ?? ''))
  const format = storeFormat({ root: 'records', locate: ({ origin }, part) => nameOf(part?.slot ?? origin) })
  const contextWith = (now: readonly Message[], pendingCalls: ReadonlySet<string>): RuleContext =>
    new RuleContext(
      { format, messages: now, continues: false },
      {
        facts: lenientFacts,
        choices: { ...choices, pendingCalls },
      },
    )
  const waiting = waitingCalls(contextWith(messages, new Set()), [...repairs, ...remaining])
  return {
    messages,
    repairs,
    remaining,
    context: now => contextWith(now, waiting),
    dialects: [],
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

/** The doctor reports every open call that is an error: the other open calls may wait. */
function waitingCalls({ pairing }: RuleContext, found: readonly Diagnostic[]): Set<string> {
  const missing = new Set(found.filter(({ rule }) => rule === 'unanswered-call').map(({ callId }) => callId))
  const open = pairing.calls.filter(call => !call.answer && !missing.has(call.part.id))
  return new Set(open.map(call => call.part.id))
}

/** The records of a message. */
function recordsOf({ origin, parts }: Message): number[] {
  const records = [origin, ...parts.map(({ slot }) => slot)]
  return [...new Set(records.filter(record => record !== undefined))]
}
