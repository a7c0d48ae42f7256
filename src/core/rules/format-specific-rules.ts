import { legacyCall } from './calls/legacy-call.ts'
import { orphanApproval } from './calls/orphan-approval.ts'
import { undeclaredTools } from './calls/undeclared-tools.ts'
import { unlistedCall } from './calls/unlisted-call.ts'
import { unsignedCall } from './calls/unsigned-call.ts'
import { bareContent } from './content/bare-content.ts'
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
 * Rules that only some wires can break, under the name of what a wire must have for that. The door to one shape names its
 * own, so that a bundle of it has no others.
 */

export const ids = [emptyId]
export const looseSteps = [splitStep]
export const onePartACall = [repeatedStep]
export const order = [textAfterCall]
export const contentLists = [bareContent]
export const contentKeys = [missingContent]
export const namedResults = [unnamedResult]
export const sharedMessages = [splitResults, textBesideResults]
export const approvals = [orphanApproval]
export const systemMessages = [systemNotFirst, repeatedSystem]
export const listedCalls = [unlistedCall]
export const legacyCalls = [legacyCall]
export const signedCalls = [unsignedCall]
export const signedReasoning = [unsignedThinking]
export const reasoningBlocks = [misplacedThinking, trailingThinking]
export const namedItems = [reasoningWithoutFollower]
export const reasoningItems = [repeatedItem, malformedItemId, callWithoutReasoning]
/** What stands around the history, beside it. */
export const requests = [strayThinking, missingThinking, undeclaredTools]
/** Reasoning that is no block. */
export const plainReasoning = [mismatchedResult, missingReasoning]
