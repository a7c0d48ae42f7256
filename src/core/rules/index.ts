import type { Rule } from '../rule.ts'
import { blankText } from './blank-text.ts'
import { brokenAlternation } from './broken-alternation.ts'
import { callWithoutReasoning } from './call-without-reasoning.ts'
import { duplicateCallId } from './duplicate-call-id.ts'
import { duplicateResult } from './duplicate-result.ts'
import { earlyResult } from './early-result.ts'
import { emptyCalls } from './empty-calls.ts'
import { emptyId } from './empty-id.ts'
import { emptyMessage } from './empty-message.ts'
import { emptyResult } from './empty-result.ts'
import { forbiddenFollower } from './forbidden-follower.ts'
import { foreignProviderCall } from './foreign-provider-call.ts'
import { foreignRole } from './foreign-role.ts'
import { interleavedMessage } from './interleaved-message.ts'
import { malformedArguments } from './malformed-arguments.ts'
import { malformedId } from './malformed-id.ts'
import { malformedItemId } from './malformed-item-id.ts'
import { malformedName } from './malformed-name.ts'
import { malformedResult } from './malformed-result.ts'
import { mismatchedResult } from './mismatched-result.ts'
import { misplacedResult } from './misplaced-result.ts'
import { misplacedThinking } from './misplaced-thinking.ts'
import { missingContent } from './missing-content.ts'
import { missingReasoning } from './missing-reasoning.ts'
import { missingThinking } from './missing-thinking.ts'
import { missingUser } from './missing-user.ts'
import { notAHistory } from './not-a-history.ts'
import { orphanApproval } from './orphan-approval.ts'
import { orphanResult } from './orphan-result.ts'
import { parallelCalls } from './parallel-calls.ts'
import { reasoningWithoutFollower } from './reasoning-without-follower.ts'
import { repeatedItem } from './repeated-item.ts'
import { repeatedStep } from './repeated-step.ts'
import { repeatedSystem } from './repeated-system.ts'
import { repeatedUserMessage } from './repeated-user-message.ts'
import { splitResults } from './split-results.ts'
import { splitStep } from './split-step.ts'
import { strayThinking } from './stray-thinking.ts'
import { systemNotFirst } from './system-not-first.ts'
import { systemRole } from './system-role.ts'
import { textAfterCall } from './text-after-call.ts'
import { textBesideResults } from './text-beside-results.ts'
import { trailingSpace } from './trailing-space.ts'
import { trailingThinking } from './trailing-thinking.ts'
import { unansweredCall } from './unanswered-call.ts'
import { undeclaredTools } from './undeclared-tools.ts'
import { unnamedResult } from './unnamed-result.ts'
import { unpairedProviderCall } from './unpaired-provider-call.ts'
import { unreadableMessage } from './unreadable-message.ts'
import { unreadablePart } from './unreadable-part.ts'
import { unsignedCall } from './unsigned-call.ts'
import { unsignedThinking } from './unsigned-thinking.ts'
import { wrongFirstRole } from './wrong-first-role.ts'
import { wrongLastRole } from './wrong-last-role.ts'
import { wrongSide } from './wrong-side.ts'

/**
 * All rules, in the order in which a repair mends them: what can be read, steps, content, ids, pairing, seating,
 * answering, reasoning, turns.
 */
export const rules: readonly Rule[] = [
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
  strayThinking,
  missingThinking,
  undeclaredTools,
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
