import { duplicateCallId } from './calls/duplicate-call-id.ts'
import { unansweredCall } from './calls/unanswered-call.ts'
import { unpairedProviderCall } from './calls/unpaired-provider-call.ts'
import { notAHistory } from './content/not-a-history.ts'
import { unreadableMessage } from './content/unreadable-message.ts'
import { unreadablePart } from './content/unreadable-part.ts'
import { malformedId } from './ids/malformed-id.ts'
import { interleavedMessage } from './order/interleaved-message.ts'
import { missingUser } from './order/missing-user.ts'
import { repeatedUserMessage } from './order/repeated-user-message.ts'
import { systemRole } from './order/system-role.ts'
import { wrongSide } from './order/wrong-side.ts'
import { duplicateResult } from './results/duplicate-result.ts'
import { earlyResult } from './results/early-result.ts'
import { misplacedResult } from './results/misplaced-result.ts'
import { orphanResult } from './results/orphan-result.ts'
import type { Rule } from './rule.ts'

/**
 * The order in which a repair runs the rules: readability, steps, content, ids, pairing, placement, answers, reasoning,
 * turns. A rule that only some formats can break is listed by its id and passed in where it is needed.
 */
const order: readonly (Rule | string)[] = [
  notAHistory,
  unreadableMessage,
  unreadablePart,
  'unread-refusal',
  wrongSide,
  'unlisted-call',
  'legacy-call',
  'repeated-item',
  'unsigned-thinking',
  'foreign-provider-call',
  'blank-text',
  'empty-message',
  'misplaced-thinking',
  'split-step',
  'repeated-step',
  'empty-calls',
  'missing-content',
  'bare-content',
  'malformed-content',
  'empty-result',
  'malformed-result',
  'malformed-arguments',
  'malformed-name',
  'empty-id',
  duplicateCallId,
  malformedId,
  'malformed-item-id',
  'mismatched-result',
  duplicateResult,
  orphanResult,
  'orphan-approval',
  'unnamed-result',
  unpairedProviderCall,
  'parallel-calls',
  earlyResult,
  interleavedMessage,
  misplacedResult,
  'text-after-call',
  unansweredCall,
  'split-results',
  'text-beside-results',
  'trailing-thinking',
  'reasoning-without-follower',
  'call-without-reasoning',
  'missing-reasoning',
  'unsigned-call',
  'stray-thinking',
  'missing-thinking',
  'undeclared-tools',
  'foreign-role',
  systemRole,
  'system-not-first',
  'repeated-system',
  missingUser,
  'wrong-first-role',
  'broken-alternation',
  'text-beside-calls',
  'forbidden-follower',
  'wrong-last-role',
  'trailing-space',
  repeatedUserMessage,
]

/** The rules that any history can break, and the given format-specific ones. */
/* @__NO_SIDE_EFFECTS__ */
export function rulesWith(...formatSpecific: readonly (readonly Rule[])[]): readonly Rule[] {
  const named = new Map(formatSpecific.flat().map(rule => [rule.id, rule]))
  return order.flatMap(rule => (typeof rule === 'string' ? (named.get(rule) ?? []) : rule))
}
