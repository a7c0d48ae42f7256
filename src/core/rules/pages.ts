import { page as duplicateCallId } from './calls/duplicate-call-id.ts'
import { page as emptyCalls } from './calls/empty-calls.ts'
import { page as foreignProviderCall } from './calls/foreign-provider-call.ts'
import { page as legacyCall } from './calls/legacy-call.ts'
import { page as malformedArguments } from './calls/malformed-arguments.ts'
import { page as malformedName } from './calls/malformed-name.ts'
import { page as orphanApproval } from './calls/orphan-approval.ts'
import { page as parallelCalls } from './calls/parallel-calls.ts'
import { page as unansweredCall } from './calls/unanswered-call.ts'
import { page as undeclaredTools } from './calls/undeclared-tools.ts'
import { page as unlistedCall } from './calls/unlisted-call.ts'
import { page as unpairedProviderCall } from './calls/unpaired-provider-call.ts'
import { page as unsignedCall } from './calls/unsigned-call.ts'
import { page as bareContent } from './content/bare-content.ts'
import { page as blankText } from './content/blank-text.ts'
import { page as emptyMessage } from './content/empty-message.ts'
import { page as malformedContent } from './content/malformed-content.ts'
import { page as missingContent } from './content/missing-content.ts'
import { page as notAHistory } from './content/not-a-history.ts'
import { page as textAfterCall } from './content/text-after-call.ts'
import { page as textBesideCalls } from './content/text-beside-calls.ts'
import { page as trailingSpace } from './content/trailing-space.ts'
import { page as unreadRefusal } from './content/unread-refusal.ts'
import { page as unreadableMessage } from './content/unreadable-message.ts'
import { page as unreadablePart } from './content/unreadable-part.ts'
import { page as emptyId } from './ids/empty-id.ts'
import { page as malformedId } from './ids/malformed-id.ts'
import { page as malformedItemId } from './ids/malformed-item-id.ts'
import { page as repeatedItem } from './ids/repeated-item.ts'
import { page as documentWithoutText } from './media/document-without-text.ts'
import { page as heavyImage } from './media/heavy-image.ts'
import { page as mislabelledImage } from './media/mislabelled-image.ts'
import { page as misplacedImage } from './media/misplaced-image.ts'
import { page as oversizedAmongMany } from './media/oversized-among-many.ts'
import { page as oversizedImage } from './media/oversized-image.ts'
import { page as repeatedDocumentName } from './media/repeated-document-name.ts'
import { page as tooManyMedia } from './media/too-many-media.ts'
import { page as unreadableImage } from './media/unreadable-image.ts'
import { page as unsupportedImage } from './media/unsupported-image.ts'
import { page as unsupportedMedia } from './media/unsupported-media.ts'
import { page as brokenAlternation } from './order/broken-alternation.ts'
import { page as forbiddenFollower } from './order/forbidden-follower.ts'
import { page as foreignRole } from './order/foreign-role.ts'
import { page as interleavedMessage } from './order/interleaved-message.ts'
import { page as missingUser } from './order/missing-user.ts'
import { page as repeatedStep } from './order/repeated-step.ts'
import { page as repeatedSystem } from './order/repeated-system.ts'
import { page as repeatedUserMessage } from './order/repeated-user-message.ts'
import { page as splitStep } from './order/split-step.ts'
import { page as systemNotFirst } from './order/system-not-first.ts'
import { page as systemRole } from './order/system-role.ts'
import { page as wrongFirstRole } from './order/wrong-first-role.ts'
import { page as wrongLastRole } from './order/wrong-last-role.ts'
import { page as wrongSide } from './order/wrong-side.ts'
import { page as callWithoutReasoning } from './reasoning/call-without-reasoning.ts'
import { page as misplacedThinking } from './reasoning/misplaced-thinking.ts'
import { page as missingReasoning } from './reasoning/missing-reasoning.ts'
import { page as missingThinking } from './reasoning/missing-thinking.ts'
import { page as reasoningWithoutFollower } from './reasoning/reasoning-without-follower.ts'
import { page as strayThinking } from './reasoning/stray-thinking.ts'
import { page as trailingThinking } from './reasoning/trailing-thinking.ts'
import { page as unsignedThinking } from './reasoning/unsigned-thinking.ts'
import { page as brokenCharacter } from './request/broken-character.ts'
import { page as foreignMessageField } from './request/foreign-message-field.ts'
import { page as malformedToolName } from './request/malformed-tool-name.ts'
import { page as misplacedCacheMark } from './request/misplaced-cache-mark.ts'
import { page as repeatedTool } from './request/repeated-tool.ts'
import { page as tooManyCacheMarks } from './request/too-many-cache-marks.ts'
import { page as tooManyTools } from './request/too-many-tools.ts'
import { page as unknownToolReference } from './request/unknown-tool-reference.ts'
import { page as duplicateResult } from './results/duplicate-result.ts'
import { page as earlyResult } from './results/early-result.ts'
import { page as emptyResult } from './results/empty-result.ts'
import { page as malformedResult } from './results/malformed-result.ts'
import { page as mismatchedResult } from './results/mismatched-result.ts'
import { page as misplacedResult } from './results/misplaced-result.ts'
import { page as orphanResult } from './results/orphan-result.ts'
import { page as splitResults } from './results/split-results.ts'
import { page as textBesideResults } from './results/text-beside-results.ts'
import { page as unnamedResult } from './results/unnamed-result.ts'
import type { Page } from './rule.ts'

/**
 * The documentation of each rule, by id; written by `npm run docs`. It is separate from the rules, so that a bundle that only heals
 * does not contain it.
 */
export const pages: Readonly<Record<string, Page>> = {
  'bare-content': bareContent,
  'blank-text': blankText,
  'broken-alternation': brokenAlternation,
  'broken-character': brokenCharacter,
  'call-without-reasoning': callWithoutReasoning,
  'document-without-text': documentWithoutText,
  'duplicate-call-id': duplicateCallId,
  'duplicate-result': duplicateResult,
  'early-result': earlyResult,
  'empty-calls': emptyCalls,
  'empty-id': emptyId,
  'empty-message': emptyMessage,
  'empty-result': emptyResult,
  'forbidden-follower': forbiddenFollower,
  'foreign-message-field': foreignMessageField,
  'foreign-provider-call': foreignProviderCall,
  'foreign-role': foreignRole,
  'heavy-image': heavyImage,
  'interleaved-message': interleavedMessage,
  'legacy-call': legacyCall,
  'malformed-arguments': malformedArguments,
  'malformed-content': malformedContent,
  'malformed-id': malformedId,
  'malformed-item-id': malformedItemId,
  'malformed-name': malformedName,
  'malformed-result': malformedResult,
  'malformed-tool-name': malformedToolName,
  'mislabelled-image': mislabelledImage,
  'mismatched-result': mismatchedResult,
  'misplaced-cache-mark': misplacedCacheMark,
  'misplaced-image': misplacedImage,
  'misplaced-result': misplacedResult,
  'misplaced-thinking': misplacedThinking,
  'missing-content': missingContent,
  'missing-reasoning': missingReasoning,
  'missing-thinking': missingThinking,
  'missing-user': missingUser,
  'not-a-history': notAHistory,
  'orphan-approval': orphanApproval,
  'orphan-result': orphanResult,
  'oversized-among-many': oversizedAmongMany,
  'oversized-image': oversizedImage,
  'parallel-calls': parallelCalls,
  'reasoning-without-follower': reasoningWithoutFollower,
  'repeated-document-name': repeatedDocumentName,
  'repeated-item': repeatedItem,
  'repeated-step': repeatedStep,
  'repeated-system': repeatedSystem,
  'repeated-tool': repeatedTool,
  'repeated-user-message': repeatedUserMessage,
  'split-results': splitResults,
  'split-step': splitStep,
  'stray-thinking': strayThinking,
  'system-not-first': systemNotFirst,
  'system-role': systemRole,
  'text-after-call': textAfterCall,
  'text-beside-calls': textBesideCalls,
  'text-beside-results': textBesideResults,
  'too-many-cache-marks': tooManyCacheMarks,
  'too-many-media': tooManyMedia,
  'too-many-tools': tooManyTools,
  'trailing-space': trailingSpace,
  'trailing-thinking': trailingThinking,
  'unanswered-call': unansweredCall,
  'undeclared-tools': undeclaredTools,
  'unknown-tool-reference': unknownToolReference,
  'unlisted-call': unlistedCall,
  'unnamed-result': unnamedResult,
  'unpaired-provider-call': unpairedProviderCall,
  'unread-refusal': unreadRefusal,
  'unreadable-image': unreadableImage,
  'unreadable-message': unreadableMessage,
  'unreadable-part': unreadablePart,
  'unsigned-call': unsignedCall,
  'unsigned-thinking': unsignedThinking,
  'unsupported-image': unsupportedImage,
  'unsupported-media': unsupportedMedia,
  'wrong-first-role': wrongFirstRole,
  'wrong-last-role': wrongLastRole,
  'wrong-side': wrongSide,
}
