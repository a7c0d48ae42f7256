import type { Rule } from './rule.ts'
import { blankText } from './rules/blank-text.ts'
import { brokenAlternation } from './rules/broken-alternation.ts'
import { duplicateCallId } from './rules/duplicate-call-id.ts'
import { duplicateResult } from './rules/duplicate-result.ts'
import { earlyResult } from './rules/early-result.ts'
import { emptyCalls } from './rules/empty-calls.ts'
import { emptyMessage } from './rules/empty-message.ts'
import { emptyResult } from './rules/empty-result.ts'
import { forbiddenFollower } from './rules/forbidden-follower.ts'
import { foreignProviderCall } from './rules/foreign-provider-call.ts'
import { foreignRole } from './rules/foreign-role.ts'
import { interleavedMessage } from './rules/interleaved-message.ts'
import { malformedArguments } from './rules/malformed-arguments.ts'
import { malformedId } from './rules/malformed-id.ts'
import { malformedName } from './rules/malformed-name.ts'
import { malformedResult } from './rules/malformed-result.ts'
import { misplacedResult } from './rules/misplaced-result.ts'
import { missingUser } from './rules/missing-user.ts'
import { notAHistory } from './rules/not-a-history.ts'
import { orphanResult } from './rules/orphan-result.ts'
import { parallelCalls } from './rules/parallel-calls.ts'
import { repeatedUserMessage } from './rules/repeated-user-message.ts'
import { systemRole } from './rules/system-role.ts'
import { textBesideCalls } from './rules/text-beside-calls.ts'
import { trailingSpace } from './rules/trailing-space.ts'
import { unansweredCall } from './rules/unanswered-call.ts'
import { unpairedProviderCall } from './rules/unpaired-provider-call.ts'
import { unreadRefusal } from './rules/unread-refusal.ts'
import { unreadableMessage } from './rules/unreadable-message.ts'
import { unreadablePart } from './rules/unreadable-part.ts'
import { wrongFirstRole } from './rules/wrong-first-role.ts'
import { wrongLastRole } from './rules/wrong-last-role.ts'
import { wrongSide } from './rules/wrong-side.ts'

/**
 * The order in which a repair mends: what can be read, steps, content, ids, pairing, seating, answering, reasoning, turns.
 * A rule that only some histories can break stands here by its name, and is given where it is needed.
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

/** The rules that any history can break, and these. */
export function rulesWith(...particular: readonly (readonly Rule[])[]): readonly Rule[] {
  const named = new Map(particular.flat().map(rule => [rule.id, rule]))
  return order.flatMap(rule => (typeof rule === 'string' ? (named.get(rule) ?? []) : rule))
}
