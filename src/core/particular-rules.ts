import { bareContent } from './rules/bare-content.ts'
import { callWithoutReasoning } from './rules/call-without-reasoning.ts'
import { emptyId } from './rules/empty-id.ts'
import { legacyCall } from './rules/legacy-call.ts'
import { malformedItemId } from './rules/malformed-item-id.ts'
import { mismatchedResult } from './rules/mismatched-result.ts'
import { misplacedThinking } from './rules/misplaced-thinking.ts'
import { missingContent } from './rules/missing-content.ts'
import { missingReasoning } from './rules/missing-reasoning.ts'
import { missingThinking } from './rules/missing-thinking.ts'
import { orphanApproval } from './rules/orphan-approval.ts'
import { reasoningWithoutFollower } from './rules/reasoning-without-follower.ts'
import { repeatedItem } from './rules/repeated-item.ts'
import { repeatedStep } from './rules/repeated-step.ts'
import { repeatedSystem } from './rules/repeated-system.ts'
import { splitResults } from './rules/split-results.ts'
import { splitStep } from './rules/split-step.ts'
import { strayThinking } from './rules/stray-thinking.ts'
import { systemNotFirst } from './rules/system-not-first.ts'
import { textAfterCall } from './rules/text-after-call.ts'
import { textBesideResults } from './rules/text-beside-results.ts'
import { trailingThinking } from './rules/trailing-thinking.ts'
import { undeclaredTools } from './rules/undeclared-tools.ts'
import { unlistedCall } from './rules/unlisted-call.ts'
import { unnamedResult } from './rules/unnamed-result.ts'
import { unsignedCall } from './rules/unsigned-call.ts'
import { unsignedThinking } from './rules/unsigned-thinking.ts'

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
export const reasoningItems = [repeatedItem, malformedItemId, reasoningWithoutFollower, callWithoutReasoning]
/** What stands around the history, beside it. */
export const requests = [strayThinking, missingThinking, undeclaredTools]
/** Reasoning that is no block. */
export const plainReasoning = [mismatchedResult, missingReasoning]
