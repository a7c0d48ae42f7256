import type { Page } from '../rule.ts'
import { page as bareContent } from './bare-content.ts'
import { page as blankText } from './blank-text.ts'
import { page as brokenAlternation } from './broken-alternation.ts'
import { page as callWithoutReasoning } from './call-without-reasoning.ts'
import { page as duplicateCallId } from './duplicate-call-id.ts'
import { page as duplicateResult } from './duplicate-result.ts'
import { page as earlyResult } from './early-result.ts'
import { page as emptyCalls } from './empty-calls.ts'
import { page as emptyId } from './empty-id.ts'
import { page as emptyMessage } from './empty-message.ts'
import { page as emptyResult } from './empty-result.ts'
import { page as forbiddenFollower } from './forbidden-follower.ts'
import { page as foreignProviderCall } from './foreign-provider-call.ts'
import { page as foreignRole } from './foreign-role.ts'
import { page as interleavedMessage } from './interleaved-message.ts'
import { page as legacyCall } from './legacy-call.ts'
import { page as malformedArguments } from './malformed-arguments.ts'
import { page as malformedId } from './malformed-id.ts'
import { page as malformedItemId } from './malformed-item-id.ts'
import { page as malformedName } from './malformed-name.ts'
import { page as malformedResult } from './malformed-result.ts'
import { page as mismatchedResult } from './mismatched-result.ts'
import { page as misplacedResult } from './misplaced-result.ts'
import { page as misplacedThinking } from './misplaced-thinking.ts'
import { page as missingContent } from './missing-content.ts'
import { page as missingReasoning } from './missing-reasoning.ts'
import { page as missingThinking } from './missing-thinking.ts'
import { page as missingUser } from './missing-user.ts'
import { page as notAHistory } from './not-a-history.ts'
import { page as orphanApproval } from './orphan-approval.ts'
import { page as orphanResult } from './orphan-result.ts'
import { page as parallelCalls } from './parallel-calls.ts'
import { page as reasoningWithoutFollower } from './reasoning-without-follower.ts'
import { page as repeatedItem } from './repeated-item.ts'
import { page as repeatedStep } from './repeated-step.ts'
import { page as repeatedSystem } from './repeated-system.ts'
import { page as repeatedUserMessage } from './repeated-user-message.ts'
import { page as splitResults } from './split-results.ts'
import { page as splitStep } from './split-step.ts'
import { page as strayThinking } from './stray-thinking.ts'
import { page as systemNotFirst } from './system-not-first.ts'
import { page as systemRole } from './system-role.ts'
import { page as textAfterCall } from './text-after-call.ts'
import { page as textBesideCalls } from './text-beside-calls.ts'
import { page as textBesideResults } from './text-beside-results.ts'
import { page as trailingSpace } from './trailing-space.ts'
import { page as trailingThinking } from './trailing-thinking.ts'
import { page as unansweredCall } from './unanswered-call.ts'
import { page as undeclaredTools } from './undeclared-tools.ts'
import { page as unlistedCall } from './unlisted-call.ts'
import { page as unnamedResult } from './unnamed-result.ts'
import { page as unpairedProviderCall } from './unpaired-provider-call.ts'
import { page as unreadRefusal } from './unread-refusal.ts'
import { page as unreadableMessage } from './unreadable-message.ts'
import { page as unreadablePart } from './unreadable-part.ts'
import { page as unsignedCall } from './unsigned-call.ts'
import { page as unsignedThinking } from './unsigned-thinking.ts'
import { page as wrongFirstRole } from './wrong-first-role.ts'
import { page as wrongLastRole } from './wrong-last-role.ts'
import { page as wrongSide } from './wrong-side.ts'

/**
 * What is said of each rule, by its id. It stands beside the rule, and apart from it: whoever only heals carries none of these
 * words along.
 */
export const pages: Readonly<Record<string, Page>> = {
  'bare-content': bareContent,
  'blank-text': blankText,
  'broken-alternation': brokenAlternation,
  'call-without-reasoning': callWithoutReasoning,
  'duplicate-call-id': duplicateCallId,
  'duplicate-result': duplicateResult,
  'early-result': earlyResult,
  'empty-calls': emptyCalls,
  'empty-id': emptyId,
  'empty-message': emptyMessage,
  'empty-result': emptyResult,
  'forbidden-follower': forbiddenFollower,
  'foreign-provider-call': foreignProviderCall,
  'foreign-role': foreignRole,
  'interleaved-message': interleavedMessage,
  'legacy-call': legacyCall,
  'malformed-arguments': malformedArguments,
  'malformed-id': malformedId,
  'malformed-item-id': malformedItemId,
  'malformed-name': malformedName,
  'malformed-result': malformedResult,
  'mismatched-result': mismatchedResult,
  'misplaced-result': misplacedResult,
  'misplaced-thinking': misplacedThinking,
  'missing-content': missingContent,
  'missing-reasoning': missingReasoning,
  'missing-thinking': missingThinking,
  'missing-user': missingUser,
  'not-a-history': notAHistory,
  'orphan-approval': orphanApproval,
  'orphan-result': orphanResult,
  'parallel-calls': parallelCalls,
  'reasoning-without-follower': reasoningWithoutFollower,
  'repeated-item': repeatedItem,
  'repeated-step': repeatedStep,
  'repeated-system': repeatedSystem,
  'repeated-user-message': repeatedUserMessage,
  'split-results': splitResults,
  'split-step': splitStep,
  'stray-thinking': strayThinking,
  'system-not-first': systemNotFirst,
  'system-role': systemRole,
  'text-after-call': textAfterCall,
  'text-beside-calls': textBesideCalls,
  'text-beside-results': textBesideResults,
  'trailing-space': trailingSpace,
  'trailing-thinking': trailingThinking,
  'unanswered-call': unansweredCall,
  'undeclared-tools': undeclaredTools,
  'unlisted-call': unlistedCall,
  'unnamed-result': unnamedResult,
  'unpaired-provider-call': unpairedProviderCall,
  'unread-refusal': unreadRefusal,
  'unreadable-message': unreadableMessage,
  'unreadable-part': unreadablePart,
  'unsigned-call': unsignedCall,
  'unsigned-thinking': unsignedThinking,
  'wrong-first-role': wrongFirstRole,
  'wrong-last-role': wrongLastRole,
  'wrong-side': wrongSide,
}
