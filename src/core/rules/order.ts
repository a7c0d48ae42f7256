import { duplicateCallId } from './calls/duplicate-call-id.ts'
import { emptyCalls } from './calls/empty-calls.ts'
import { foreignProviderCall } from './calls/foreign-provider-call.ts'
import { malformedArguments } from './calls/malformed-arguments.ts'
import { malformedName } from './calls/malformed-name.ts'
import { parallelCalls } from './calls/parallel-calls.ts'
import { unansweredCall } from './calls/unanswered-call.ts'
import { unpairedProviderCall } from './calls/unpaired-provider-call.ts'
import { blankText } from './content/blank-text.ts'
import { emptyMessage } from './content/empty-message.ts'
import { notAHistory } from './content/not-a-history.ts'
import { textBesideCalls } from './content/text-beside-calls.ts'
import { trailingSpace } from './content/trailing-space.ts'
import { unreadRefusal } from './content/unread-refusal.ts'
import { unreadableMessage } from './content/unreadable-message.ts'
import { unreadablePart } from './content/unreadable-part.ts'
import { malformedId } from './ids/malformed-id.ts'
import { brokenAlternation } from './order/broken-alternation.ts'
import { forbiddenFollower } from './order/forbidden-follower.ts'
import { foreignRole } from './order/foreign-role.ts'
import { interleavedMessage } from './order/interleaved-message.ts'
import { missingUser } from './order/missing-user.ts'
import { repeatedUserMessage } from './order/repeated-user-message.ts'
import { systemRole } from './order/system-role.ts'
import { wrongFirstRole } from './order/wrong-first-role.ts'
import { wrongLastRole } from './order/wrong-last-role.ts'
import { wrongSide } from './order/wrong-side.ts'
import { duplicateResult } from './results/duplicate-result.ts'
import { earlyResult } from './results/early-result.ts'
import { emptyResult } from './results/empty-result.ts'
import { malformedResult } from './results/malformed-result.ts'
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
  unreadRefusal,
  wrongSide,
  'unlisted-call',
  'legacy-call',
  'repeated-item',
  'unsigned-thinking',
  foreignProviderCall,
  blankText,
  emptyMessage,
  'misplaced-thinking',
  'split-step',
  'repeated-step',
  emptyCalls,
  'missing-content',
  'bare-content',
  'malformed-content',
  emptyResult,
  malformedResult,
  malformedArguments,
  malformedName,
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
  parallelCalls,
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
  foreignRole,
  systemRole,
  'system-not-first',
  'repeated-system',
  missingUser,
  wrongFirstRole,
  brokenAlternation,
  textBesideCalls,
  forbiddenFollower,
  wrongLastRole,
  trailingSpace,
  repeatedUserMessage,
]

/** The rules that any history can break, and the given format-specific ones. */
/* @__NO_SIDE_EFFECTS__ */
export function rulesWith(...formatSpecific: readonly (readonly Rule[])[]): readonly Rule[] {
  const named = new Map(formatSpecific.flat().map(rule => [rule.id, rule]))
  return order.flatMap(rule => (typeof rule === 'string' ? (named.get(rule) ?? []) : rule))
}
