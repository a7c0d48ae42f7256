import {
  approvals,
  contentKeys,
  contentLists,
  ids,
  legacyCalls,
  listedCalls,
  looseSteps,
  namedResults,
  onePartACall,
  order,
  plainReasoning,
  reasoningBlocks,
  reasoningItems,
  requests,
  sharedMessages,
  signedCalls,
  signedReasoning,
  systemMessages,
} from './format-specific-rules.ts'
import { rulesWith } from './order.ts'
import type { Rule } from './rule.ts'

/** All rules, in the order in which a repair mends them. */
export const rules: readonly Rule[] = rulesWith(
  approvals,
  contentKeys,
  contentLists,
  ids,
  legacyCalls,
  listedCalls,
  looseSteps,
  namedResults,
  onePartACall,
  order,
  plainReasoning,
  reasoningBlocks,
  reasoningItems,
  requests,
  sharedMessages,
  signedCalls,
  signedReasoning,
  systemMessages,
)
