import { orphanApproval } from './calls/orphan-approval.ts'
import { undeclaredTools } from './calls/undeclared-tools.ts'
import { unlistedCall } from './calls/unlisted-call.ts'
import { unsignedCall } from './calls/unsigned-call.ts'
import { bareContent } from './content/bare-content.ts'
import { malformedContent } from './content/malformed-content.ts'
import { missingContent } from './content/missing-content.ts'
import { emptyId } from './ids/empty-id.ts'
import { malformedItemId } from './ids/malformed-item-id.ts'
import { repeatedStep } from './order/repeated-step.ts'
import { splitStep } from './order/split-step.ts'
import { callWithoutReasoning } from './reasoning/call-without-reasoning.ts'
import { missingThinking } from './reasoning/missing-thinking.ts'
import { strayThinking } from './reasoning/stray-thinking.ts'
import { mismatchedResult } from './results/mismatched-result.ts'
import { splitResults } from './results/split-results.ts'
import { unnamedResult } from './results/unnamed-result.ts'

/*
 * Rules that only some formats can break, grouped by what the format must have. The entry point of a single format
 * imports its own groups, so that its bundle contains no others.
 */

export const idRules = [emptyId]
export const stepRules = [splitStep]
export const onePartRules = [repeatedStep]
export const contentListRules = [bareContent]
export const textContentRules = [malformedContent]
export const contentKeyRules = [missingContent]
export const namedResultRules = [unnamedResult]
export const sharedMessageRules = [splitResults]
export const approvalRules = [orphanApproval]
export const listedCallRules = [unlistedCall]
export const signedCallRules = [unsignedCall]
export const reasoningItemRules = [malformedItemId, callWithoutReasoning]
/** Rules about the request around the history. */
export const requestRules = [strayThinking, missingThinking, undeclaredTools]
export const callKindRules = [mismatchedResult]
