import type { Rule } from './rule.ts'
import { blankText } from './rules/blank-text.ts'
import { brokenAlternation } from './rules/broken-alternation.ts'
import { callWithoutReasoning } from './rules/call-without-reasoning.ts'
import { duplicateCallId } from './rules/duplicate-call-id.ts'
import { duplicateResult } from './rules/duplicate-result.ts'
import { earlyResult } from './rules/early-result.ts'
import { emptyCalls } from './rules/empty-calls.ts'
import { emptyId } from './rules/empty-id.ts'
import { emptyMessage } from './rules/empty-message.ts'
import { emptyResult } from './rules/empty-result.ts'
import { forbiddenFollower } from './rules/forbidden-follower.ts'
import { foreignProviderCall } from './rules/foreign-provider-call.ts'
import { foreignRole } from './rules/foreign-role.ts'
import { interleavedMessage } from './rules/interleaved-message.ts'
import { malformedArguments } from './rules/malformed-arguments.ts'
import { malformedId } from './rules/malformed-id.ts'
import { malformedItemId } from './rules/malformed-item-id.ts'
import { malformedName } from './rules/malformed-name.ts'
import { malformedResult } from './rules/malformed-result.ts'
import { mismatchedResult } from './rules/mismatched-result.ts'
import { misplacedResult } from './rules/misplaced-result.ts'
import { misplacedThinking } from './rules/misplaced-thinking.ts'
import { missingContent } from './rules/missing-content.ts'
import { missingReasoning } from './rules/missing-reasoning.ts'
import { missingUser } from './rules/missing-user.ts'
import { notAHistory } from './rules/not-a-history.ts'
import { orphanApproval } from './rules/orphan-approval.ts'
import { orphanResult } from './rules/orphan-result.ts'
import { parallelCalls } from './rules/parallel-calls.ts'
import { reasoningWithoutFollower } from './rules/reasoning-without-follower.ts'
import { repeatedItem } from './rules/repeated-item.ts'
import { repeatedStep } from './rules/repeated-step.ts'
import { repeatedSystem } from './rules/repeated-system.ts'
import { repeatedUserMessage } from './rules/repeated-user-message.ts'
import { splitResults } from './rules/split-results.ts'
import { splitStep } from './rules/split-step.ts'
import { systemNotFirst } from './rules/system-not-first.ts'
import { systemRole } from './rules/system-role.ts'
import { textAfterCall } from './rules/text-after-call.ts'
import { textBesideResults } from './rules/text-beside-results.ts'
import { trailingSpace } from './rules/trailing-space.ts'
import { trailingThinking } from './rules/trailing-thinking.ts'
import { unansweredCall } from './rules/unanswered-call.ts'
import { unnamedResult } from './rules/unnamed-result.ts'
import { unpairedProviderCall } from './rules/unpaired-provider-call.ts'
import { unreadableMessage } from './rules/unreadable-message.ts'
import { unreadablePart } from './rules/unreadable-part.ts'
import { unsignedCall } from './rules/unsigned-call.ts'
import { unsignedThinking } from './rules/unsigned-thinking.ts'
import { wrongFirstRole } from './rules/wrong-first-role.ts'
import { wrongLastRole } from './rules/wrong-last-role.ts'
import { wrongSide } from './rules/wrong-side.ts'

/** The rules up to those that only a request can break, in the order in which a repair mends them. */
export const rulesBeforeRequest: readonly Rule[] = [
  notAHistory,
  unreadableMessage,
  unreadablePart,
  wrongSide,
  repeatedItem,
  unsignedThinking,
  foreignProviderCall,
  blankText,
  emptyMessage,
  misplacedThinking,
  splitStep,
  repeatedStep,
  emptyCalls,
  missingContent,
  emptyResult,
  malformedResult,
  malformedArguments,
  malformedName,
  emptyId,
  duplicateCallId,
  malformedId,
  malformedItemId,
  mismatchedResult,
  duplicateResult,
  orphanResult,
  orphanApproval,
  unnamedResult,
  unpairedProviderCall,
  parallelCalls,
  earlyResult,
  interleavedMessage,
  misplacedResult,
  textAfterCall,
  unansweredCall,
  splitResults,
  textBesideResults,
  trailingThinking,
  reasoningWithoutFollower,
  callWithoutReasoning,
  missingReasoning,
  unsignedCall,
]

export const rulesBehindRequest: readonly Rule[] = [
  foreignRole,
  systemRole,
  systemNotFirst,
  repeatedSystem,
  missingUser,
  wrongFirstRole,
  brokenAlternation,
  forbiddenFollower,
  wrongLastRole,
  trailingSpace,
  repeatedUserMessage,
]

/** The rules that a history can break by itself, without a request around it. */
export const historyRules: readonly Rule[] = [...rulesBeforeRequest, ...rulesBehindRequest]
