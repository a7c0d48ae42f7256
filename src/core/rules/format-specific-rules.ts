import { legacyCall } from './calls/legacy-call.ts'
import { orphanApproval } from './calls/orphan-approval.ts'
import { undeclaredTools } from './calls/undeclared-tools.ts'
import { unlistedCall } from './calls/unlisted-call.ts'
import { unsignedCall } from './calls/unsigned-call.ts'
import { bareContent } from './content/bare-content.ts'
import { malformedContent } from './content/malformed-content.ts'
import { missingContent } from './content/missing-content.ts'
import { textAfterCall } from './content/text-after-call.ts'
import { emptyId } from './ids/empty-id.ts'
import { malformedItemId } from './ids/malformed-item-id.ts'
import { repeatedItem } from './ids/repeated-item.ts'
import { repeatedStep } from './order/repeated-step.ts'
import { repeatedSystem } from './order/repeated-system.ts'
import { splitStep } from './order/split-step.ts'
import { systemNotFirst } from './order/system-not-first.ts'
import { callWithoutReasoning } from './reasoning/call-without-reasoning.ts'
import { misplacedThinking } from './reasoning/misplaced-thinking.ts'
import { missingReasoning } from './reasoning/missing-reasoning.ts'
import { missingThinking } from './reasoning/missing-thinking.ts'
import { reasoningWithoutFollower } from './reasoning/reasoning-without-follower.ts'
import { strayThinking } from './reasoning/stray-thinking.ts'
import { trailingThinking } from './reasoning/trailing-thinking.ts'
import { unsignedThinking } from './reasoning/unsigned-thinking.ts'
import { mismatchedResult } from './results/mismatched-result.ts'
import { splitResults } from './results/split-results.ts'
import { textBesideResults } from './results/text-beside-results.ts'
import { unnamedResult } from './results/unnamed-result.ts'

/*
 * Rules that only some formats can break, grouped by what the format must have. The entry point of a single format
 * imports its own groups, so that its bundle contains no others.
 */

export const idRules = [emptyId]
export const stepRules = [splitStep]
export const onePartRules = [repeatedStep]
export const orderRules = [textAfterCall]
export const contentListRules = [bareContent]
export const textContentRules = [malformedContent]
export const contentKeyRules = [missingContent]
export const namedResultRules = [unnamedResult]
export const sharedMessageRules = [splitResults, textBesideResults]
export const approvalRules = [orphanApproval]
export const systemMessageRules = [systemNotFirst, repeatedSystem]
export const listedCallRules = [unlistedCall]
export const legacyCallRules = [legacyCall]
export const signedCallRules = [unsignedCall]
export const signedReasoningRules = [unsignedThinking]
export const reasoningBlockRules = [misplacedThinking, trailingThinking]
export const namedItemRules = [repeatedItem, reasoningWithoutFollower]
export const reasoningItemRules = [malformedItemId, callWithoutReasoning]
/** Rules about the request around the history. */
export const requestRules = [strayThinking, missingThinking, undeclaredTools]
/** Rules for reasoning that is not in blocks. */
export const plainReasoningRules = [mismatchedResult, missingReasoning]
